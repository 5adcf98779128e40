/** Service and type, as resource names have them, of the resources that the tag product can tag (public API). */
export const resourceKinds = {
  vpc: { service: "vpc", type: "vpc" },
  subnet: { service: "vpc", type: "subnet" },
  securityGroup: { service: "cvm", type: "sg" },
  elasticIp: { service: "vpc", type: "eip" },
  natGateway: { service: "vpc", type: "nat" },
  routeTable: { service: "vpc", type: "rtb" },
  registry: { service: "tcr", type: "instance" },
  /** The id is `<registry>/<namespace>`. */
  namespace: { service: "tcr", type: "repository" },
} as const;

/** A resource as operations across products name it, in six segments: `cp::<service>:<region>:uin/<account>:<type>/<id>`. */
export interface ResourceName {
  readonly service: string;
  readonly region: string;
  /** The main account's id; empty means the caller's. */
  readonly account: string;
  readonly type: string;
  readonly id: string;
}

/**
 * Writes a resource name.
 *
 * @example
 * resourceName({ ...resourceKinds.subnet, region: "eu-frankfurt", account: "100000000001", id: "subnet-5d20b7c4" });
 * // "cp::vpc:eu-frankfurt:uin/100000000001:subnet/subnet-5d20b7c4"
 */
export function resourceName({ service, region, account, type, id }: ResourceName): string {
  return `cp::${service}:${region}:uin/${account}:${type}/${id}`;
}

/** Reads a resource name; `undefined` if it is none. */
export function parseResourceName(text: string): ResourceName | undefined {
  const form = /^cp::([^:]+):([^:]*):uin\/([^:]*):([^:/]+)\/([^:]*)$/;
  const [name, service = "", region = "", account = "", type = "", id = ""] = form.exec(text) ?? [];
  return name === undefined ? undefined : { service, region, account, type, id };
}
