// In the plugin, this takes the place of Pulumi's SDK, which only programs need.

function inProgramsOnly(): never {
  throw new TypeError("this is for programs: the plugin has none");
}

export { inProgramsOnly as output, inProgramsOnly as secret };
