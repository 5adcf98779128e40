import { defineConfig } from "eslint/config";
import { configs, parser } from "typescript-eslint";

// One entry point, one name: everything that is published is named.
const namedExports = ["ExportAllDeclaration", "ExportDefaultDeclaration"].map((selector) => ({
  selector,
  message: "Name what is exported.",
}));

const moduleState = [
  "VariableDeclaration[kind='let']",
  "VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Map|Set)$/][arguments.length=0]",
]
  .flatMap((selector) => [`Program > ${selector}`, `Program > ExportNamedDeclaration > ${selector}`])
  .map((selector) => ({ selector, message: "What an update remembers belongs into Session." }));

// An error with a cause has the code of that, and an InputError has one by its class.
const uncoded = {
  selector: "NewExpression[callee.name='Error'][arguments.length=1]",
  message: "What a user may read has a code: throw a ProviderError. A TypeError is for mistakes of this package.",
};

const tests = ["**/*.test.ts", "**/*.fixture.ts", "test/**/*.ts"];

export default defineConfig(
  {
    ignores: ["**/dist/", "sdks/", "examples/dual-stack/", "**/venv/", "**/node_modules/", "**/.container-platform/"],
  },
  { linterOptions: { reportUnusedDisableDirectives: "error", reportUnusedInlineConfigs: "error" } },
  {
    rules: {
      eqeqeq: "error",
      "no-console": "off",
      "no-constant-binary-expression": "error",
      "no-empty": "error",
      "no-fallthrough": "error",
      "no-irregular-whitespace": "error",
      "no-loss-of-precision": "error",
      "no-self-assign": "error",
      "no-unsafe-finally": "error",
      "no-unsafe-optional-chaining": "error",
      "no-useless-rename": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "no-restricted-syntax": ["error", ...namedExports],
    },
  },
  {
    files: ["**/*.ts"],
    extends: [configs.strictTypeChecked, configs.stylisticTypeChecked],
    languageOptions: { parser, parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-indexed-object-style": "off",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports", disallowTypeAnnotations: false }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }],
      "@typescript-eslint/no-explicit-any": "error",
      // An empty table is meant where a resource has no states.
      "@typescript-eslint/no-generated-empty-object-type": "off",
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/no-unused-vars": ["error", { args: "after-used", argsIgnorePattern: "^_", ignoreRestSiblings: true }],
      // An empty text from the platform is none: `||` is meant.
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { string: true } }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    },
  },
  // vitest's asymmetric matchers are of any type.
  { files: tests, rules: { "@typescript-eslint/no-unsafe-assignment": "off" } },
  {
    // The catalogue is data: an operation after the other, as many as a product has, with as many fields as it takes.
    files: ["sdk/src/**/*.ts", "provider/src/**/*.ts"],
    ignores: [...tests, "sdk/src/catalogue/**"],
    rules: {
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }],
    },
  },
  // The operations of a subject are read together.
  { files: ["sdk/src/**/*.ts"], ignores: tests, rules: { "max-lines": ["error", { max: 700 }] } },
  {
    // Branches and defaults of one function. Elsewhere, some functions are tables of defaults, each of which counts.
    files: ["provider/src/{definition,schema,program,lifecycle,ownership,dynamic}/**/*.ts"],
    ignores: tests,
    rules: { complexity: ["error", { max: 20 }] },
  },
  {
    // Pulumi's host has one process for all kinds of resources: one module has a slot for what they share, and no other keeps state.
    files: ["provider/src/{definition,schema,program,lifecycle,ownership,dynamic,runtime,resources}/**/*.ts"],
    ignores: [...tests, "provider/src/dynamic/dynamic-process.ts"],
    rules: { "no-restricted-syntax": ["error", ...namedExports, ...moduleState, uncoded] },
  },
  {
    files: ["provider/src/{plugin,functions,components}/**/*.ts"],
    ignores: tests,
    rules: { "no-restricted-syntax": ["error", ...namedExports, uncoded] },
  },
  {
    // A class of a resource has its properties by an interface of the same name, which adds nothing to what it extends.
    files: ["provider/src/resources/**/*.ts"],
    rules: {
      "@typescript-eslint/no-unsafe-declaration-merging": "off",
      "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "with-single-extends" }],
    },
  },
  // Tools that are configured, and programs that are begun, by what a module exports by default.
  { files: ["*.config.js", "*.config.ts", "examples/*/start.js"], rules: { "no-restricted-syntax": "off" } },
);
