/**
 * Words of the platform's messages that are others there: values, permissions and products. Each is found by what stands around it,
 * because a message may have a user's text in it.
 */
export const words: readonly (readonly [here: RegExp, there: string])[] = [
  [/(?<=\btakes |, )svc:(?=(?:ns:)?(?:admin|ops|dev|ro)\b)/g, "tke:"],
  [/(?<=\bwhich does not begin with )svc:/g, "tke:"],
  [/^"cp::(?=.*" names no resource;)/, '"qcs::'],
  [/(?<=\bnames are |, )cp::(?=[^, ]*<id>)/g, "qcs::"],
  [/(?<=\bservice account )reg\$/g, "tcr$$"],
  [/(?<=\btakes |, )reg:(?=[A-Z*])/g, "tcr:"],
  [/(?<=\blacks the permission )reg:/g, "tcr:"],
  [/(?<=\blacks the permission )cluster:/g, "tke:"],
  [/(?<=\blacks the permission )compute:/g, "cvm:"],
  [/(?<=\blacks the permission )disk:/g, "cbs:"],
  [/(?<=\blacks the permission )audit:/g, "cloudaudit:"],
  [/^cluster(?= has no )/, "tke"],
  [/^registry(?= has no )/, "tcr"],
  [/^compute(?= has no )/, "cvm"],
  [/^disk(?= has no )/, "cbs"],
  [/^audit(?= has no )/, "cloudaudit"],
  [/^identity(?= has no )/, "sts"],
];
