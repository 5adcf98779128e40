// Imported first by every command of this folder, so that a Node that is too old ends with a clear message. This file has to run
// in old Nodes: no new syntax here.
const wanted = 20;
if (Number(process.versions.node.split(".")[0]) < wanted) {
  console.error(
    "This project needs Node " +
      wanted +
      " or newer to set itself up; this is Node " +
      process.versions.node +
      ". Install a newer one: https://nodejs.org/en/download",
  );
  process.exit(1);
}
