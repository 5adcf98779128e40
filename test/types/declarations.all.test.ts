import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { afterAll, expect, test } from "vitest";
import { EntryPoint } from "../../scripts/declarations/entry-point.ts";
import { Sources } from "../../scripts/declarations/sources.ts";
import { complaints, root } from "../support/compiler.ts";

// Small packages, whose declarations are written as those of the provider are.

const cache = join(root, "node_modules", ".cache");
mkdirSync(cache, { recursive: true });
const place = mkdtempSync(join(cache, "declarations-"));
afterAll(() => {
  rmSync(place, { recursive: true, force: true });
});

/** The declarations of a package whose only entry point is its first file. */
function declarationsOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(place, "package-"));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write(
    "provider/tsconfig.json",
    JSON.stringify({ extends: join(root, "tsconfig.base.json"), compilerOptions: { types: [] }, include: ["src"] }),
  );
  for (const [name, text] of Object.entries(files)) write(`provider/src/${name}`, text);
  const config = join(folder, "provider", "tsconfig.json");
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, (file) => ts.sys.readFile(file)).config,
    ts.sys,
    dirname(config),
  );
  const outDir = join(folder, "node_modules", ".cache", "types", "provider", "src");
  const compiled = { ...options, rootDir: join(folder, "provider", "src"), outDir, emitDeclarationOnly: true };
  const program = ts.createProgram(fileNames, { ...compiled, composite: false, incremental: false });
  const errors = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  expect(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  return new EntryPoint(new Sources(folder, ["index"]), "index", ["@pulumi/pulumi"]).text();
}

const network = `
import { ComponentResource, type ComponentResourceOptions, type CustomResourceOptions, type Input, type Output, output } from "@pulumi/pulumi";
import * as pulumi from "@pulumi/pulumi";

/** Changes the arguments of a child. */
type Transform<Args> = (args: Args, opts: CustomResourceOptions, name: string) => void;
export interface SubnetArgs {
  /** Its range. */
  cidrBlock: Input<string>;
}
const roles = ["nodes", "pods"] as const;
type Role = (typeof roles)[number];

/** What a network is made from. */
export interface NetworkArgs {
  /** Zones, or how many. */
  zones?: number | readonly string[];
  transform?: { readonly subnet?: Transform<SubnetArgs> };
  role: Role;
}
/** Several subnets. */
export class Network extends ComponentResource {
  /** Where they are. */
  readonly zones: Output<string[]>;
  #secret = 1;
  constructor(name: string, { zones = 3 }: NetworkArgs, opts?: ComponentResourceOptions) {
    super("a:b:Network", name, {}, opts);
    this.zones = output(typeof zones === "number" ? ["z"] : [...zones]);
  }
  /** The first one. */
  first(by: pulumi.Input<number> = this.#secret) {
    return output(by).apply(() => roles[0]);
  }
}`;

const zones = `
import { type Input, output, type ProviderResource, type Resource } from "@pulumi/pulumi";

const state = {
  /** Whether it is open. */
  open: true,
};
const zone = {
  /** Such as \`a-1\`. */
  name: "",
  /** Its states. */
  states: [state],
};
/** Whom to ask. */
export interface LookupOptions { provider?: ProviderResource | undefined; parent?: Resource | undefined }
/** The zones. */
export async function getZones({ all = false }: { all?: boolean } = {}, _opts: LookupOptions = {}) {
  return [zone].filter(() => all);
}
/** The same, with Inputs. */
export function getZonesOutput({ all }: { all?: Input<boolean> } = {}, opts?: LookupOptions) {
  return output(all).apply((known) => getZones(known === undefined ? {} : { all: known }, opts));
}
const after = <T>(work: () => Promise<T>) => (opts: LookupOptions) => work().finally(() => opts);
/** One zone. */
export const getZone = after(async () => zone);
`;

test("components are passed on as they are written, and what functions tell has names and the comments of its source", () => {
  const text = declarationsOf({
    "index.ts":
      'export { Network, type NetworkArgs } from "./network.ts";\nexport { getZone, getZones, getZonesOutput, type LookupOptions } from "./zones.ts";',
    "network.ts": network,
    "zones.ts": zones,
  });
  expect(text).toMatchInlineSnapshot(`
    "import * as pulumi from "@pulumi/pulumi";
    import { ComponentResource, ComponentResourceOptions, CustomResourceOptions, Input, Output, ProviderResource, Resource } from "@pulumi/pulumi";

    /** Several subnets. */
    export declare class Network extends ComponentResource {
        #private;
        /** Where they are. */
        readonly zones: Output<string[]>;
        constructor(name: string, { zones }: NetworkArgs, opts?: ComponentResourceOptions);
        /** The first one. */
        first(by?: pulumi.Input<number>): Output<"nodes">;
    }

    /** What a network is made from. */
    export interface NetworkArgs {
        /** Zones, or how many. */
        zones?: number | readonly string[];
        transform?: {
            readonly subnet?: Transform<SubnetArgs>;
        };
        role: Role;
    }

    /** Changes the arguments of a child. */
    type Transform<Args> = (args: Args, opts: CustomResourceOptions, name: string) => void;

    interface SubnetArgs {
        /** Its range. */
        cidrBlock: Input<string>;
    }

    type Role = "nodes" | "pods";

    /** One zone. */
    export declare const getZone: (opts: LookupOptions) => Promise<ZoneResult>;

    /** Whom to ask. */
    export interface LookupOptions {
        provider?: ProviderResource | undefined;
        parent?: Resource | undefined;
    }

    export interface ZoneResult {
        /** Such as \`a-1\`. */
        name: string;
        /** Its states. */
        states: ZoneStateResult[];
    }

    export interface ZoneStateResult {
        /** Whether it is open. */
        open: boolean;
    }

    /** The zones. */
    export declare function getZones({ all }?: {
        all?: boolean;
    }, _opts?: LookupOptions): Promise<ZoneResult[]>;

    /** The same, with Inputs. */
    export declare function getZonesOutput({ all }?: {
        all?: Input<boolean>;
    }, opts?: LookupOptions): Output<ZoneResult[]>;

    export {};
    "
  `);
  expect(complaints("examples/platform/flat.d.ts", text, { skipLibCheck: false })).toEqual([]);
});

test("what names another package is refused", () => {
  const files = { "index.ts": 'import type { z } from "zod";\nexport interface Rule { readonly of: z.ZodString }' };
  expect(() => declarationsOf(files)).toThrow("Rule");
});

test("two types of one name are refused", () => {
  const files = {
    "index.ts": 'export { getZone } from "./one.ts";\nexport { getZones } from "./two.ts";',
    "one.ts": "export function getZone() { return { name: 1 }; }",
    "two.ts": 'export function getZones() { return [{ name: "" }]; }',
  };
  expect(() => declarationsOf(files)).toThrow("two different types would be called ZoneResult");
});
