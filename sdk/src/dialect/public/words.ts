/** Words of the platform's messages that are others there: values, permissions and products. */
export const words: readonly (readonly [here: RegExp, there: string])[] = [
  [/\bsvc:/g, "tke:"],
  [/\bcp::/g, "qcs::"],
  [/\breg\$/g, "tcr$$"],
  [/\breg:(?=[A-Z*])/g, "tcr:"],
  [/\bcluster:(?=[A-Z*])/g, "tke:"],
  [/\bcompute:(?=[A-Z*])/g, "cvm:"],
  [/\bdisk:(?=[A-Z*])/g, "cbs:"],
  [/\baudit:(?=[A-Z*])/g, "cloudaudit:"],
  [/^cluster(?= has no )/, "tke"],
  [/^registry(?= has no )/, "tcr"],
  [/^compute(?= has no )/, "cvm"],
  [/^disk(?= has no )/, "cbs"],
  [/^audit(?= has no )/, "cloudaudit"],
  [/^identity(?= has no )/, "sts"],
];
