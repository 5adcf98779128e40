// Pulumi starts this file. An older Node cannot read TypeScript, and would only say that it does not know the file's extension.
if (!process.features.typescript)
  throw new Error(
    `this program needs Node 22.19 or newer, and this is ${process.versions.node}: run it with \`npm run up\`, which brings its own, or get one at https://nodejs.org/en/download`,
  );

export default async () => ({ ...(await import("./index.ts")) });
