// Pulumi starts this file. An older Node cannot read TypeScript, and would only say that it does not know the file's extension.
if (!process.features.typescript) throw new Error(`this program needs Node 22.19 or newer, and this is ${process.versions.node}`);

export default async () => ({ ...(await import("./index.ts")) });
