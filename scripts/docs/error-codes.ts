import { type ErrorCode, type ErrorKind, type Operation, PlatformError } from "@container-platform/sdk";
import { catalogue, commonCodes } from "@container-platform/sdk/reference";
import { codes } from "../../provider/src/definition/codes.ts";
import { code, page, table } from "./markdown.ts";
import { pageOf } from "./operations.ts";

/** The page of the error codes. */
export function errorCodesPage(): string {
  return page(
    "# Error codes",
    "Look up the code of a failed call or of a message of the provider: its meaning, its remedy, and the operations that return it.",
    "`npm run fix` writes this page from the SDK's catalog and the provider's table. The codes of the API are those of [the specification](../contributing/specification.md) and of the public API. Pulumi and `cpcli` print the code after the message of the API:",
    "```text\ndeleting Vpc vpc-3f8a0c1e: <message> (DeleteVpc: ResourceInUse, request <ID>). <remedy>\ncpcli: [PlatformError] code:ResourceInUse message:<message> requestId:<ID>\n```",
    "In a program that uses the SDK, `PlatformError` has `code`, `kind`, `reason` and `requestId`.",
    "## Kinds of errors",
    "The kind decides whether the client retries a call. [Retries](../concepts/endpoints.md#retries) lists the limits.",
    table(["Kind", "Meaning", "Retries", "Remedy"], kindNames.map(kindRow)),
    "## Codes of the API",
    "Every operation can return the codes of authentication, authorization, throttling and input that are marked *all*.",
    table(["Code", "Kind", "Meaning", "Remedy", "Operations"], allCodes().map(codeRow)),
    "## Codes of the client",
    "The client sets these codes itself. The platform returned nothing, or something other than its response format.",
    table(
      ["Code", "Kind", "Meaning", "Remedy"],
      clientCodes.map(([name, kind, meaning, remedy]) => [code(name), code(kind), meaning, remedy ?? kinds[kind].remedy]),
    ),
    "## Codes of the provider",
    "The provider checks a program before it calls the API. The code of such an error or warning is at the end of the first line:",
    "```text\ncidrBlock: 10.0.0.0/20 overlaps cidrBlock 10.0.0.0/16 of subnet-3f8a0c1e. <remedy> [Provider.AlreadyExists]\n```",
    'After the code come the input that the message does not begin with, the resource that cannot be changed or deleted, and its user: `[Provider.InUse: vpcId of Vpc/vpc-3f8a0c1e by Subnet "part"]`. A `-` means that the message is about no input.',
    table(
      ["Code", "Meaning", "Remedy"],
      Object.entries(codes).map(([name, [meaning, remedy]]) => [code(`Provider.${name}`), meaning, remedy]),
    ),
    "## Codes without an entry",
    "The cloud can return codes that the catalog lacks. The class, the part before the dot, decides their kind, unless the last part names a more exact one:",
    table(
      ["Class", "Kind"],
      classes.map((name) => [code(`${name}.…`), code(kindOf(`${name}.Other`))]),
    ),
    "## Next steps",
    "- [Troubleshooting](../troubleshooting/README.md)\n- [API operations](api/README.md)\n- [Rate limits and retries](../concepts/endpoints.md)",
  );
}

interface About {
  readonly meaning: string;
  /** Whether the client retries the call. */
  readonly retries: string;
  readonly remedy: string;
}

const [always, ifRepeatable, never] = ["yes", "if the operation may be sent again", "no"];

const kinds: Readonly<Record<ErrorKind, About>> = {
  notFound: { meaning: "The subject of the call does not exist", retries: never, remedy: "Check the ID, the region and the account" },
  inUse: { meaning: "Another resource uses the subject", retries: never, remedy: "Delete the resource that uses it first" },
  conflict: { meaning: "Conflict with an existing resource", retries: never, remedy: "Use another value, or import the resource" },
  throttled: { meaning: "Too many calls", retries: always, remedy: "Wait, then repeat; with several stacks, lower `callsPerSecond`" },
  transient: { meaning: "A temporary failure", retries: ifRepeatable, remedy: "Wait, then run the command again" },
  unauthorized: { meaning: "The caller is unknown, or lacks the permission", retries: never, remedy: "Ask the account's administrator" },
  protected: {
    meaning: "A protection blocks the call",
    retries: never,
    remedy: "Set `deletionProtection` to `false`, then run `pulumi up`",
  },
  limit: { meaning: "A quota or a limit", retries: never, remedy: "Delete unused resources, or ask for a higher quota" },
  invalid: { meaning: "The input is wrong", retries: never, remedy: "Correct the parameter that the message names" },
  unsupported: { meaning: "The platform does not support the call here", retries: never, remedy: "Read the message for the requirement" },
  failed: { meaning: "A permanent failure", retries: never, remedy: "Read the message; quote the request ID to the operator" },
  unreachable: {
    meaning: "The call may have taken effect, but its response was lost",
    retries: ifRepeatable,
    remedy: "Check the endpoint, then run `pulumi up --refresh`",
  },
  unsent: { meaning: "The call did not reach the platform", retries: always, remedy: "Check the endpoint and the network" },
};
const kindNames = Object.keys(kinds) as ErrorKind[];

function kindRow(kind: ErrorKind): string[] {
  const { meaning, retries, remedy } = kinds[kind];
  return [code(kind), meaning, retries, remedy];
}

const common: readonly string[] = commonCodes;

function allCodes(): ErrorCode[] {
  const own = catalogue.flatMap(({ errors, remoteErrors }) => [...errors, ...remoteErrors]);
  const found = [...new Set([...commonCodes, ...own])].sort();
  const surplus = Object.keys(meanings).filter((name) => !found.some((one) => one === name));
  if (surplus.length > 0) throw new Error(`no operation returns ${surplus.join(", ")}`);
  return found;
}

function codeRow(name: ErrorCode): string[] {
  const at = catalogue.filter(({ errors, remoteErrors }) => [...errors, ...remoteErrors].includes(name));
  const found = new Set(at.length === 0 ? [kindOf(name)] : at.map((operation) => kindOf(name, operation)));
  const [kind = "failed"] = found;
  const remedy = remedies[name] ?? kinds[kind].remedy;
  return [code(name), [...found].map(code).join(", "), meanings[name], remedy, common.includes(name) ? "*all*" : operationsCell(name, at)];
}

function kindOf(name: string, { product, action }: Pick<Operation, "product" | "action"> = { product: "vpc", action: "" }): ErrorKind {
  return new PlatformError(name, "", { product, action, requestId: "" }).kind;
}

/** A cell with more operations than this counts them for each product. */
const most = 4;

function operationsCell(name: ErrorCode, at: readonly Operation[]): string {
  if (at.length <= most) return at.map((operation) => link(operation) + mark(operation, name)).join(", ");
  const products = [...new Set(at.map(({ product }) => product))];
  const count = (product: string) => at.filter((one) => one.product === product).length;
  return products.map((product) => `[${count(product)} of ${product}](api/README.md#${product})`).join(", ");
}

function mark({ errors }: Operation, name: ErrorCode): string {
  return errors.includes(name) ? "" : " (cloud only)";
}

function link(operation: Operation): string {
  return `[${operation.action}](api/${pageOf(operation)})`;
}

/** What the specification says of each code, else the local emulator's messages, which are the public API's conditions. */
const meanings: Readonly<Record<ErrorCode, string>> = {
  AddressQuotaLimitExceeded: "The account has no more elastic IPs in the region",
  "AuthFailure.InvalidAuthorization": "The header `Authorization` is missing or malformed",
  "AuthFailure.SecretIdNotFound": "The access key is unknown or disabled",
  "AuthFailure.SignatureExpire": "The timestamp of the call is more than 300 seconds from the platform's time",
  "AuthFailure.SignatureFailure": "The signature does not fit the call and the key",
  "AuthFailure.TokenFailure": "The token of a temporary key is missing or wrong, or the key has expired",
  "AuthFailure.UnauthorizedOperation": "A policy denies this write, for example to resources with a given tag",
  FailedOperation: "The connection to the VPC or the service account already exists",
  "FailedOperation.ClusterState": "The state of the cluster does not allow the operation",
  "FailedOperation.CvmVpcidNotMatch": "An instance that should join the cluster is in another VPC, or does not qualify",
  "FailedOperation.ErrorTcrResourceConflict": "The registry already has a namespace of this name",
  "FailedOperation.PreconditionFailed": "The namespace has repositories, or the repository has images or immutable tags",
  "FailedOperation.RecordNotFound": "The node pool does not have this node",
  "FailedOperation.TaskAlreadyRunning": "An upgrade of nodes of this cluster is in progress",
  "FailedOperation.TaskLifeStateError": "The state of the upgrade does not allow the operation",
  "FailedOperation.TaskNotFound": "No task matches the filter, or the cluster does not exist",
  InternalError: "The platform failed, or its response does not have the form of the operation",
  "InternalError.EmptyClusterNotSupport": "The cluster has no running node, and an endpoint requires one",
  "InternalError.ErrConflict": "The namespace already has a retention rule",
  "InternalError.ErrorConflict": "Another change of the registry's public endpoint is in progress",
  "InternalError.ErrorTcrResourceConflict": "A resource of this name already exists, such as a repository of the namespace",
  "InternalError.TaskNotFound": "The nodes of the cluster have not been upgraded",
  InvalidAction: "The product does not have this action",
  InvalidFilter: "A filter is invalid",
  "InvalidFilterValue.LimitExceeded": "A filter has too many values",
  "InvalidInstanceType.Malformed": "The instance type is malformed",
  InvalidParameter: "A parameter is malformed, has a wrong name, or does not fit the others",
  "InvalidParameter.CidrConflictWithOtherCluster": "The CIDR block overlaps the one of another cluster in the VPC",
  "InvalidParameter.CidrConflictWithVpcCidr": "The CIDR block of pods or services overlaps the one of the VPC",
  "InvalidParameter.CidrInvalid": "The value is not an IPv4 CIDR block without host bits",
  "InvalidParameter.Coexist": "Two parameters exclude each other, such as `Egress` and `Ingress`, or IDs and `Filters`",
  "InvalidParameter.ErrorNameExists": "A registry of this name already exists; names are unique on the whole platform",
  "InvalidParameter.ErrorNameIllegal": "The name of the registry has a wrong form",
  "InvalidParameter.ErrorNameReserved": "The name of the registry is reserved",
  "InvalidParameter.ErrorTcrInvalidParameter": "A parameter of the registry is invalid, such as a name or a retention rule",
  "InvalidParameter.Param": "A parameter is malformed, has a wrong name, or does not fit the cluster",
  "InvalidParameter.SubnetConflict": "The CIDR block overlaps the one of another subnet in the VPC",
  "InvalidParameter.VpcCidrConflict": "The CIDR block overlaps the one of another VPC",
  InvalidParameterValue: "The operation does not accept the value, such as a zone of another region",
  "InvalidParameterValue.BandwidthOutOfRange": "The bandwidth does not fit how the elastic IP is billed",
  "InvalidParameterValue.Combination": "The billing of the elastic IP cannot be changed so, or lacks its prepaid period",
  "InvalidParameterValue.DeleteTagsParamError": "A tag is both in `ReplaceTags` and in `DeleteTags`",
  "InvalidParameterValue.Duplicate": "A tag key or a subnet is given twice",
  "InvalidParameterValue.Empty": "A name or a list is empty",
  "InvalidParameterValue.InternetChargeTypeNotChanged": "The elastic IP is already billed so",
  "InvalidParameterValue.LimitExceeded": "The call has too many IDs",
  "InvalidParameterValue.Malformed": "A value does not have the required form, such as a CIDR block",
  "InvalidParameterValue.MaxResult": "`MaxResults` is out of bounds",
  "InvalidParameterValue.Range": "A number is out of bounds",
  "InvalidParameterValue.ResourceDescriptionError": "The text is not the name of a resource of this account",
  "InvalidParameterValue.RouteNextHopInvalid": "The gateway of the route does not exist in the VPC, or leads the route to itself",
  "InvalidParameterValue.SubnetRange": "The CIDR block of the subnet is not inside the one of the VPC",
  "InvalidParameterValue.Time": "`StartTime` is not a Unix time, or not before `EndTime`",
  "InvalidParameterValue.TooLong": "A text has too many characters",
  "InvalidParameterValue.VpcCidrConflict": "The destination of the route is inside the VPC",
  "InvalidParameterValue.ZoneNotSupported": "The zone is not supported",
  "InvalidParameterValue.attributeKey": "Events cannot be looked up by this `AttributeKey`",
  "InvalidZone.MismatchRegion": "The zone is not in this region",
  "InvalidZone.ZoneNotAvailable": "The zone does not exist or is not supported",
  LimitExceeded: "The quota of the region is used up, or the call has too many entries",
  "LimitExceeded.AccountReturnQuota": "The account has no more returns of prepaid elastic IPs",
  "LimitExceeded.CidrBlock": "The VPC already has an IPv6 block",
  "LimitExceeded.ModifyAddressInternetChargeTypeQuota": "The billing of the elastic IP has been changed twice",
  "LimitExceeded.NatGatewayPerVpcLimitExceeded": "The VPC can have no more NAT gateways",
  "LimitExceeded.PublicIpAddressPerNatGatewayLimitExceeded": "The NAT gateway can have no more elastic IPs",
  "LimitExceeded.ResourceAttachedTags": "The resource would have too many tags",
  "LimitExceeded.SecurityGroupPolicySet": "The security group would have too many rules in one direction",
  "LimitExceeded.SubnetCidrBlock": "The subnet already has an IPv6 CIDR block",
  MissingParameter: "A required parameter is absent",
  NoSuchVersion: "The action does not have this version",
  OperationDenied: "Deletion protection, an immutable tag, or a control plane that the platform manages",
  "OperationDenied.ClusterInDeletionProtection": "The deletion protection of the cluster is on",
  "OperationDenied.QuotaOverLimit": "The quota is used up",
  RequestLimitExceeded: "The account makes too many calls",
  RequestSizeLimitExceeded: "The body of the call has more than 10 MB",
  ResourceInUse: "Other resources depend on the resource, or the cluster already has this endpoint",
  "ResourceInUse.Address": "The elastic IP is bound to another resource",
  "ResourceInsufficient.AvailabilityZoneSoldOut": "The zone is sold out",
  "ResourceInsufficient.ErrorInstanceNotRunning": "The registry is not `Running`",
  ResourceNotFound: "The ID is unknown in this region, or the registry's public endpoint is closed and has no IP allowlist",
  "ResourceNotFound.TcrResourceNotFound": "The registry does not have this namespace, repository, image or rule",
  ResourceUnavailable: "The public endpoint of the cluster is not `Created`",
  "ResourceUnavailable.ClusterState": "The state of the cluster does not allow the operation",
  "UnauthorizedOperation.AccessMgmtNoAuth": "The sub-account lacks the permission for the operation",
  UnsupportedOperation: "The type of the cluster or of the registry does not support the operation",
  "UnsupportedOperation.AddressStatusNotPermit": "The elastic IP is bound, or its state is changing",
  "UnsupportedOperation.BandwidthPackageIdNotSupported": "The emulator has no bandwidth packages",
  "UnsupportedOperation.DelDefaultRoute": "The main route table of a VPC is deleted with the VPC",
  "UnsupportedOperation.DelRouteWithSubnet": "Subnets use the route table",
  "UnsupportedOperation.DeletionProtectionEnabled": "The NAT gateway is protected from deletion",
  "UnsupportedOperation.DuplicatePolicy": "The security group or the IP allowlist already has the rule",
  "UnsupportedOperation.InvalidRegion": "The region does not exist",
  "UnsupportedOperation.InvalidState": "The NAT gateway is not available",
  "UnsupportedOperation.MutexOperationTaskRunning": "The NAT gateway is being created or changed",
  "UnsupportedOperation.NatGatewayHaveRoute": "Routes lead to the NAT gateway",
  "UnsupportedOperation.NatGatewayIsBusy": "The NAT gateway is not available",
  "UnsupportedOperation.NatNotSupported": "The elastic IP is bound to a NAT gateway, which takes addresses billed by traffic",
  "UnsupportedOperation.NotSupportZone": "The zone has no NAT gateways",
  "UnsupportedOperation.PublicIpAddressDisassociate": "The last elastic IP of a NAT gateway cannot be unbound",
  "UnsupportedOperation.PublicIpAddressIsNotBGPIp": "A NAT gateway takes BGP addresses",
  "UnsupportedOperation.PublicIpAddressIsNotExisted": "The region has no such elastic IP, or the NAT gateway does not have it",
  "UnsupportedOperation.PublicIpAddressNotBilledByTraffic": "A NAT gateway takes addresses billed by traffic",
  "UnsupportedOperation.RecordNotExists": "The route table has no such route",
  "UnsupportedOperation.ResourceProcessing": "Another change of the resource is in progress",
  "UnsupportedOperation.SystemRoute": "The platform manages the route",
  "UnsupportedOperation.VersionMismatch": "The rules have changed since you read them",
  "UnsupportedOperation.VpcMismatch": "The route table is of another VPC than the subnet",
  UnsupportedProtocol: "The call is not a `POST` of `application/json`",
};

const keys = "Check the credentials; `cpcli whoami` prints their source";
const range = "Use a CIDR block that overlaps no other";
const wait = "Wait until it is ready: `cpcli wait`";
const zone = "Use an available zone (`getZones`)";

/** Where the remedy of the kind is too general. */
const remedies: Readonly<Partial<Record<ErrorCode, string>>> = {
  "AuthFailure.InvalidAuthorization": keys,
  "AuthFailure.SecretIdNotFound": keys,
  "AuthFailure.SignatureExpire": "Set the clock of this machine",
  "AuthFailure.SignatureFailure": keys,
  "AuthFailure.TokenFailure": keys,
  FailedOperation: "Use another name or subnet",
  "FailedOperation.PreconditionFailed": "Delete the contained repositories or images first",
  "FailedOperation.TaskAlreadyRunning": "Wait for the end of the upgrade, or abort it",
  "FailedOperation.TaskLifeStateError": "Read the state of the upgrade: `GetUpgradeInstanceProgress`",
  "InternalError.EmptyClusterNotSupport": "Create a node pool first: `nodePoolIds` of `ClusterEndpoint`",
  "InternalError.ErrConflict": "Change the existing rule",
  InvalidAction: "Check the spelling; `cpcli list` prints all operations",
  "InvalidFilterValue.LimitExceeded": "Make several calls",
  "InvalidParameter.CidrConflictWithOtherCluster": range,
  "InvalidParameter.CidrConflictWithVpcCidr": range,
  "InvalidParameter.Coexist": "Leave one of them out, or make two calls",
  "InvalidParameter.ErrorNameExists": "Use another name",
  "InvalidParameter.SubnetConflict": range,
  "InvalidParameter.VpcCidrConflict": range,
  "InvalidParameterValue.Duplicate": "Give it once",
  "InvalidParameterValue.LimitExceeded": "Make several calls",
  "InvalidParameterValue.ZoneNotSupported": zone,
  "InvalidZone.MismatchRegion": zone,
  "InvalidZone.ZoneNotAvailable": zone,
  "LimitExceeded.CidrBlock": "Import the existing block",
  "LimitExceeded.ResourceAttachedTags": "Remove tags",
  "LimitExceeded.SecurityGroupPolicySet": "Remove rules",
  "LimitExceeded.SubnetCidrBlock": "Unassign the existing CIDR block first",
  NoSuchVersion: "Use one of the versions that the message lists",
  RequestSizeLimitExceeded: "Send less in one call",
  "ResourceInsufficient.AvailabilityZoneSoldOut": "Use another zone or instance type",
  "ResourceInsufficient.ErrorInstanceNotRunning": wait,
  ResourceUnavailable: wait,
  "ResourceUnavailable.ClusterState": wait,
  "UnsupportedOperation.DuplicatePolicy": "Remove the duplicate",
  "UnsupportedOperation.InvalidRegion": "Check `container-platform:region` and `CONTAINER_PLATFORM_REGION`",
  "UnsupportedOperation.VersionMismatch": "Read the rules again, then repeat the change",
  UnsupportedProtocol: "Use the SDK or `cpcli`, or send a `POST` of JSON",
};

/** `sdk/src/transport` sets these codes. */
const clientCodes: readonly (readonly [name: string, kind: ErrorKind, meaning: string, remedy?: string])[] = [
  ["NotConnected", "unsent", "The host of the endpoint accepts no connection"],
  ["HostNotFound", "unsent", "The name of the host is unknown"],
  ["NoAnswer", "unreachable", "The response did not come in time"],
  ["ConnectionLost", "unreachable", "The connection ended before the response came"],
  ["HttpStatus.429", "throttled", "A gateway between you and the platform rejects the call"],
  ["HttpStatus.5…", "unreachable", "A gateway between you and the platform failed"],
  ["HttpStatus.…", "failed", "The endpoint responds with another HTTP status than 200", "Check the endpoint and the proxies"],
  ["UnreadableAnswer", "failed", "The response is not one of a platform", "Check the endpoint and the proxies"],
  ["ProgramNotStarted", "unsent", "The program of a `cli:` endpoint cannot start", "Check the endpoint"],
  ["ProgramKilled", "unreachable", "A signal ended the program of a `cli:` endpoint"],
  ["ProgramFailed", "unreachable", "The program of a `cli:` endpoint ended without a response"],
  ["ClientRefused", "unsupported", "The program of a `cli:` endpoint does not accept the call"],
  ["ClientNotConfigured", "failed", "The program of a `cli:` endpoint lacks its configuration", "Configure that program"],
  ["NoInstanceRole", "unsent", "The metadata of the virtual machine has no credentials of a role", keys],
];

const classes = [
  ...["AuthFailure", "UnauthorizedOperation", "RequestLimitExceeded", "ResourceNotFound", "ResourceInUse", "ResourceBusy"],
  ...["ResourceUnavailable", "ResourceInsufficient", "LimitExceeded", "OperationDenied", "UnsupportedOperation", "FailedOperation"],
  ...["InternalError", "InternalServerError", "ServiceUnavailable", "InvalidParameter", "MissingParameter"],
] as const;
