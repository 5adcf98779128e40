import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";

/** The vendor's published models of the public API: what its own client declares of each version of a product. */

export interface Member {
  readonly name: string;
  readonly required: boolean;
  /** Whether the pages say that an answer may have `null` for it. */
  readonly nullable: boolean;
  /** `string`, `number`, `boolean`, `list of …`, or the name of an object. */
  readonly type: string;
}

export type Members = ReadonlyMap<string, Member>;

/** The objects of a version of a product, by name; the request and the answer of an action are among them. */
export type Models = ReadonlyMap<string, Members>;

const client = dirname(createRequire(import.meta.url).resolve("tencentcloud-sdk-nodejs/package.json"));
const read = new Map<string, Models>();

/** The models of a version, such as `tke` and `2018-05-25`. */
export function modelsOf(service: string, version: string): Models {
  const file = join(client, "tencentcloud", "services", service, `v${version.replaceAll("-", "")}`, `${service}_models.d.ts`);
  const known = read.get(file) ?? modelsIn(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true));
  read.set(file, known);
  return known;
}

function modelsIn(source: ts.SourceFile): Models {
  const models = new Map<string, Members>();
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement)) models.set(statement.name.text, membersOf(statement));
    // A request without fields.
    if (ts.isTypeAliasDeclaration(statement)) models.set(statement.name.text, new Map());
  }
  return models;
}

function membersOf(declaration: ts.InterfaceDeclaration): Members {
  const members = declaration.members.filter((member) => ts.isPropertySignature(member));
  return new Map(members.map((member) => [member.name.getText(), memberOf(member)]));
}

function memberOf(member: ts.PropertySignature): Member {
  const comment = ts.getJSDocCommentsAndTags(member).map((each) => each.getText());
  return {
    name: member.name.getText(),
    required: member.questionToken === undefined,
    nullable: comment.some((text) => /返回 *null/i.test(text)),
    type: member.type ? typeOf(member.type) : "unknown",
  };
}

function typeOf(type: ts.TypeNode): string {
  if (ts.isArrayTypeNode(type)) return `list of ${typeOf(type.elementType)}`;
  if (ts.isUnionTypeNode(type)) return typeOf(type.types.find((each) => each.getText() !== "null") ?? type);
  if (!ts.isTypeReferenceNode(type)) return type.getText();
  const [item] = type.typeArguments ?? [];
  return item ? `list of ${typeOf(item)}` : type.typeName.getText();
}
