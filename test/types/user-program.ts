import ts from "typescript";
import * as library from "@container-platform/pulumi";
import { kinds } from "../../provider/src/resources/reviews.ts";
import { languageService } from "../support/compiler.ts";

/** A program of a user, and what the editor and the compiler say of it. They read the built declarations. */
export class UserProgram {
  readonly text: string;
  readonly #service: ts.LanguageService;
  readonly #file: string;

  constructor(text: string) {
    const names = Object.keys(library).filter((name) => !["default", "module.exports"].includes(name));
    this.text = `import { ${names.join(", ")} } from "@container-platform/pulumi";\ndeclare const _: any;\n${text}\n`;
    const { service, file } = languageService("examples/platform/editor.ts", this.text);
    [this.#service, this.#file] = [service, file];
  }

  /** What the editor shows of the name at a position. */
  hover(position: number): { readonly shown: string; readonly documentation: string } {
    const info = this.#service.getQuickInfoAtPosition(this.#file, position);
    if (!info) throw new Error(`nothing is shown at ${this.text.slice(position, position + 40)}`);
    return { shown: ts.displayPartsToString(info.displayParts), documentation: ts.displayPartsToString(info.documentation) };
  }

  /** What the compiler says, with what it points to. */
  errors(): string[] {
    return [...this.errorsByLine().values()].flat();
  }

  /** The same, by the line of the text that it is about. */
  errorsByLine(): ReadonlyMap<string, readonly string[]> {
    const found = [...this.#service.getSyntacticDiagnostics(this.#file), ...this.#service.getSemanticDiagnostics(this.#file)];
    const errors = new Map<string, string[]>();
    for (const { start = 0, messageText, relatedInformation = [] } of found) {
      const texts = [messageText, ...relatedInformation.map((one) => one.messageText)];
      const line = this.#lineAt(start);
      errors.set(line, [...(errors.get(line) ?? []), texts.map((text) => ts.flattenDiagnosticMessageText(text, "\n")).join("\n")]);
    }
    return errors;
  }

  #lineAt(place: number): string {
    const begin = this.text.lastIndexOf("\n", place - 1) + 1;
    return this.text.slice(begin, this.text.indexOf("\n", begin));
  }

  /** The objects that each resource is made from, nested ones too: `{ clusterId: _, native: { … } }`. */
  static literals(): ReadonlyMap<string, Literal> {
    const text = kinds.map((name) => `declare const of${name}: ConstructorParameters<typeof ${name}>[1];`).join("\n");
    const program = new UserProgram(text);
    const checker = program.#service.getProgram()?.getTypeChecker();
    const source = program.#service.getProgram()?.getSourceFile(program.#file);
    if (!checker || !source) throw new Error("the compiler made no program");
    const symbols = checker.getSymbolsInScope(source, ts.SymbolFlags.BlockScopedVariable);
    return new Map(
      kinds.map((name) => {
        const symbol = symbols.find((one) => one.name === `of${name}`);
        if (!symbol) throw new Error(`${name} has no arguments`);
        return [name, literalOf(checker, checker.getTypeOfSymbol(symbol))];
      }),
    );
  }
}

export interface Property {
  readonly key: string;
  readonly required: boolean;
  readonly isList: boolean;
  /** What is in it, if it is an object or a list of objects. */
  readonly inner: Literal | undefined;
}
export type Literal = readonly Property[];

/** An object as text. */
export function written(literal: Literal): string {
  return `{ ${literal.map(({ key, isList, inner }) => `${key}: ${inner ? (isList ? `[${written(inner)}]` : written(inner)) : "_"}`).join(", ")} }`;
}

function literalOf(checker: ts.TypeChecker, type: ts.Type): Literal {
  return checker.getPropertiesOfType(type).map((property) => {
    const value = plainOf(checker.getTypeOfSymbol(property));
    const item = value && itemOf(checker, value);
    const object = item ? plainOf(item) : value;
    const isObject = object !== undefined && !checker.isArrayType(object) && object.getProperties().length > 0;
    return {
      key: property.name,
      required: (property.flags & ts.SymbolFlags.Optional) === 0,
      isList: item !== undefined,
      inner: isObject ? literalOf(checker, object) : undefined,
    };
  });
}

/** The object or list that a program may give, apart from promises and outputs of it. */
function plainOf(type: ts.Type): ts.Type | undefined {
  const parts = type.isUnion() ? type.types : [type];
  const isPlain = (one: ts.Type) =>
    (one.flags & ts.TypeFlags.Object) !== 0 && !["Promise", "OutputInstance"].includes(one.getSymbol()?.name ?? "");
  return parts.find(isPlain);
}

function itemOf(checker: ts.TypeChecker, type: ts.Type): ts.Type | undefined {
  return checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : undefined;
}
