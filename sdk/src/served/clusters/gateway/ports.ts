import type { Socket } from "node:net";
import { clustersNow } from "../../../local/cluster/access/kubeconfig.ts";
import { type ServedClusters, servedClusters } from "../../../local/cluster/control-plane/clusters.ts";
import type { World } from "../../../local/store/world.ts";
import { internet, RememberedPorts } from "../../ports.ts";

interface Given {
  readonly world: World;
  /** Where the ports are remembered. */
  readonly file: string;
  /** Takes a connection of a client in a VPC, or of one in the internet. */
  readonly taker: (connection: Socket, vpcId: string | undefined) => void;
  readonly told: (line: string) => void;
}

export type ClusterPorts = Awaited<ReturnType<typeof openClusterPorts>>;

/** Opens a port for each place from which clients come: the internet, and each VPC that has a cluster. */
export async function openClusterPorts({ world, file, taker, told }: Given) {
  const { createServer } = process.getBuiltinModule("node:net");
  const ports = new RememberedPorts<{ readonly key: string }>(
    file,
    ({ key }) =>
      createServer({ noDelay: true }, (connection) => {
        taker(connection, key === internet ? undefined : key);
      }),
    ({ key }, address) => {
      told(`clusters, from ${key === internet ? "the internet" : key}: ${address}`);
    },
  );
  /** Opens missing ports, and closes those that belong to nothing any more. */
  const look = async () => {
    const vpcs = (await clustersNow(world)).map(({ cluster }) => cluster.vpcId);
    await ports.keep([...new Set([internet, ...vpcs])].map((key) => ({ key })));
  };
  await look();
  const served: ServedClusters = {
    addressFor: (vpcId = internet) => ports.open({ key: vpcId }),
    openAddressFor: (vpcId = internet) => ports.addressOf(vpcId),
  };
  servedClusters.set(world, served);
  return {
    ...served,
    /** The ports that are open. A standpoint is `internet`, or the id of a VPC. */
    all: () => ports.opened().map(({ wanted: { key: standpoint }, address }) => ({ standpoint, address })),
    look,
    [Symbol.asyncDispose]: async () => {
      servedClusters.delete(world);
      await ports[Symbol.asyncDispose]();
    },
  };
}
