import type { Operation } from "../operation/operation.ts";
import { inOrder } from "../operation/versions.ts";
import { operationsOf, productNamed, productTable } from "./call/products.ts";
import { commandOf, outputOptions } from "./command.ts";
import { showing } from "./output/output.ts";
import { print } from "./run.ts";

const syntax = { name: "list", words: ["[<product>]"], choices: [Object.keys(productTable)], options: outputOptions };

/** `cpcli list`: a line for every operation; data if an output or a filter is asked for. */
export const runList = commandOf(syntax, async ({ words: [name], given }) => {
  const products = name === undefined ? Object.keys(productTable).map((each) => productNamed(each)) : [productNamed(name)];
  const show = given.output !== undefined || given.filter !== undefined ? await showing(given) : undefined;
  const operations = (await Promise.all(products.map(operationsOf))).flatMap(inOrder);
  if (show)
    show(
      operations.map(({ product, action, version, source }) => ({ product, action, version, source })),
      "list",
    );
  else print(operations.map(lineOf).join(""));
});

function lineOf({ product, action, version, source, summary }: Operation): string {
  return `${product.padEnd(9)} ${action.padEnd(43)} ${version}  ${source.padEnd(13)}  ${summary.replaceAll("`", "")}\n`;
}
