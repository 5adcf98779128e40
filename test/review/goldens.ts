import { type Format, formats } from "../../provider/src/review/render/formats.ts";
import { reviewed, reviewedDrift } from "./reviewed.ts";

const endings = {
  terminal: "txt",
  github: "github.md",
  gitlab: "gitlab.md",
  html: "html",
  json: "json",
  sarif: "sarif.json",
  annotations: "annotations.txt",
  comments: "comments.json",
} as const;

const shown: Readonly<Record<string, readonly Format[]>> = {
  first: ["github"],
  nothing: ["github", "terminal"],
  rename: ["terminal"],
  cidr: ["github", "terminal", "html", "sarif", "json"],
  versionDown: ["github", "annotations"],
  endpointClosed: ["gitlab"],
  permissionWidened: ["annotations", "comments"],
  registryDeleted: ["github", "html", "comments"],
  cidrWhileProtected: ["github", "terminal"],
  drift: ["github"],
};

/** The expected renderings, by file name. `npm run record:previews` writes the files. */
export function goldens(): Map<string, string> {
  return new Map(
    Object.entries(shown).flatMap(([name, forms]) => {
      const report = name === "drift" ? reviewedDrift(name) : reviewed(name);
      return forms.map((format): [string, string] => [`${name}.${endings[format]}`, formats[format](report, "the job's artifact")]);
    }),
  );
}
