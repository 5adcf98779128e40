/** What an object type is called that has no name in the sources: what it belongs to, and the ending of all names of its tree. */
export interface Place {
  readonly name: string;
  readonly ending: "" | "Args" | "Output" | "Result";
}

/** Names that differ from those which follow from the properties, such as one for two properties that take the same. */
const exceptions: Readonly<Record<string, string>> = {
  SecurityGroupIngress: "SecurityGroupRule",
  SecurityGroupEgress: "SecurityGroupRule",
  PullServerPublicAccess: "RegistryInstancePublicAccess",
};

/** The place of a property's objects: `taints` of `NodePool` is `NodePoolTaint`, if it is a list. */
export function within({ name, ending }: Place, key: string): Place {
  const [owner, own] = [wordsOf(name), wordsOf(capitalized(key))];
  // `clusterNetworkSettings` of `Cluster` is `ClusterNetworkSettings`.
  const shared = own.findLastIndex((_, index) => index > 0 && own.slice(0, index).join() === owner.slice(-index).join());
  return { name: name + own.slice(Math.max(shared, 0)).join(""), ending };
}

/** The place of a list's items. */
export function itemsOf({ name, ending }: Place): Place {
  return { name: singular(name), ending };
}

export function nameAt({ name, ending }: Place): string {
  return `${exceptions[name] ?? name}${ending}`;
}

/** The place of what a function tells: `getClusters` tells a list of `ClusterResult`. */
export function resultsOf(functionName: string): Place {
  return { name: capitalized(functionName.replace(/^(get|lookUp)(?=[A-Z])|Output$/g, "")), ending: "Result" };
}

/** The place of what a function takes: `getZonesOutput` takes `GetZonesOutputArgs`. */
export function argumentsOf(functionName: string): Place {
  return { name: capitalized(functionName), ending: "Args" };
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function wordsOf(name: string): string[] {
  return name.match(/[A-Z][^A-Z]*|^[^A-Z]+/g) ?? [];
}

function singular(name: string): string {
  if (/(ss|x|ch|sh)es$/.test(name)) return name.slice(0, -2);
  return name.replace(/ies$/, "y").replace(/(?<![su])s$/, "");
}
