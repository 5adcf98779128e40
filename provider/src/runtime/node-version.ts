/** The oldest Node that can load this library: `require` of ES modules, and SQLite. */
const oldest = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
  throw new Error(
    `@container-platform/pulumi needs Node ${oldest.join(".")} or newer, and this is ${process.versions.node}: install a newer Node and run the command again`,
  );
