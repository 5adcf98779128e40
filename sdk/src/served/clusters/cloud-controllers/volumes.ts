import { z } from "zod";
import { change, ensure, metadata, remove, Watched } from "../control-plane/watched.ts";
import type { Keeping } from "./keeping.ts";

/** The driver of disks, and the class of claims that name none. */
const driver = "disk.container-platform";
const defaultClass = "disk";

const provisionedBy = "pv.kubernetes.io/provisioned-by";

const claim = z.object({
  metadata,
  spec: z.object({
    accessModes: z.array(z.string()).default([]),
    volumeMode: z.string().optional(),
    volumeName: z.string().default(""),
    storageClassName: z.string().default(""),
    resources: z.object({ requests: z.object({ storage: z.string() }) }),
  }),
});

const volume = z.object({
  metadata,
  spec: z.object({ persistentVolumeReclaimPolicy: z.string().default("") }),
  status: z.object({ phase: z.string().default("") }).prefault({}),
});

const storageClass = z.object({ volumeBindingMode: z.string().default("Immediate"), reclaimPolicy: z.string().default("Delete") });

/** The objects of the driver in each cluster. No volume is attached to a node. */
const objects = [
  {
    path: "/apis/storage.k8s.io/v1/csidrivers",
    body: {
      apiVersion: "storage.k8s.io/v1",
      kind: "CSIDriver",
      metadata: { name: driver },
      spec: { attachRequired: false, podInfoOnMount: false },
    },
  },
  {
    path: "/apis/storage.k8s.io/v1/storageclasses",
    body: {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: defaultClass, annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      provisioner: driver,
      reclaimPolicy: "Delete",
      volumeBindingMode: "Immediate",
    },
  },
];

/**
 * Provisions a volume for each claim that asks the driver for one, and removes it after the claim. Kubernetes itself binds the two; it
 * writes into a claim which driver is asked, and for `WaitForFirstConsumer`, which node was selected.
 */
export async function keepVolumes(keeping: Keeping): Promise<void> {
  const { api } = keeping.controlPlane;
  for (const { path, body } of objects) await ensure(api, path, body);
  const claims = new Watched(api, "/api/v1/persistentvolumeclaims", claim);
  const volumes = new Watched(api, "/api/v1/persistentvolumes", volume);
  keeping.keep(claims, async ({ metadata: { name, namespace, uid, annotations, deletionTimestamp }, spec }) => {
    const asked = annotations["volume.kubernetes.io/storage-provisioner"] ?? annotations["volume.beta.kubernetes.io/storage-provisioner"];
    if (asked !== driver || spec.volumeName !== "" || deletionTimestamp !== undefined) return;
    const { status, body } = await api.ask("GET", `/apis/storage.k8s.io/v1/storageclasses/${spec.storageClassName}`);
    if (status !== 200) return;
    const { volumeBindingMode, reclaimPolicy } = storageClass.parse(body);
    if (volumeBindingMode === "WaitForFirstConsumer" && annotations["volume.kubernetes.io/selected-node"] === undefined) return;
    await change(api, "POST", "/api/v1/persistentvolumes", {
      body: {
        apiVersion: "v1",
        kind: "PersistentVolume",
        metadata: { name: `pvc-${uid}`, annotations: { [provisionedBy]: driver } },
        spec: {
          capacity: spec.resources.requests,
          accessModes: spec.accessModes,
          ...(spec.volumeMode !== undefined && { volumeMode: spec.volumeMode }),
          storageClassName: spec.storageClassName,
          persistentVolumeReclaimPolicy: reclaimPolicy,
          claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name, uid },
          csi: { driver, volumeHandle: `pvc-${uid}` },
        },
      },
    });
  });
  keeping.keep(volumes, async ({ metadata: { name, uid, annotations }, spec, status }) => {
    const isOver = status.phase === "Released" && spec.persistentVolumeReclaimPolicy === "Delete";
    if (isOver && annotations[provisionedBy] === driver) await remove(api, `/api/v1/persistentvolumes/${name}`, uid);
  });
  await Promise.all([claims.begin(keeping.signal), volumes.begin(keeping.signal)]);
}
