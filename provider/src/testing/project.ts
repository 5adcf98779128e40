import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { InputError } from "@container-platform/sdk";
import { automation } from "@pulumi/pulumi";
import * as z from "@container-platform/sdk/zod";
import { namespace } from "../runtime/configuration.ts";

const projectForm = z.looseObject({
  name: z.string(),
  main: z.string().optional(),
  config: z.record(z.string(), z.unknown()).optional(),
  plugins: z.looseObject({ providers: z.array(z.looseObject({ path: z.string().optional() })).optional() }).optional(),
});
export type Project = z.output<typeof projectForm>;

/** The project of a program that is a function. */
export const inlineProject: Project = { name: "test", runtime: "nodejs" };

/** The project of a folder, changed so that it runs from another folder, with the plugins that it names. Its settings for the platform are left out, except region and tags. */
export async function projectOf(folder: string, pulumiCommand: automation.PulumiCommand): Promise<Project> {
  if (!["yaml", "yml", "json"].some((ending) => existsSync(join(folder, `Pulumi.${ending}`))))
    throw new InputError(`there is no Pulumi.yaml in ${folder}: name the folder of a project, or give a function`);
  const workspace = await automation.LocalWorkspace.create({ workDir: folder, pulumiCommand });
  const { backend: _, main = ".", config = {}, plugins, ...project } = projectForm.parse(await workspace.projectSettings());
  const kept = Object.entries(config).filter(([key]) => !key.startsWith(`${namespace}:`) || /:(region|defaultTags)$/.test(key));
  return { ...project, main: resolve(folder, main), config: Object.fromEntries(kept), ...(plugins && { plugins: from(folder, plugins) }) };
}

/** The plugins that a project names by their folders, which are relative to its own. */
function from(folder: string, plugins: NonNullable<Project["plugins"]>): Project["plugins"] {
  const providers = plugins.providers?.map(({ path, ...provider }) => ({ ...provider, ...(path && { path: resolve(folder, path) }) }));
  return { ...plugins, ...(providers && { providers }) };
}

/** Writes the project into a folder. `config` has full names, and wins over the project's own configuration. */
export function writeProject(folder: string, project: Project, config: Readonly<Record<string, string>>): void {
  const given = Object.fromEntries(Object.entries(config).map(([key, value]) => [key, { value }]));
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ ...project, config: { ...project.config, ...given } }));
}
