/** What differs in the settings of new nodes, which several operations take. */

/** The vendor's own clients send these settings without fields that its pages call required. */
export const leftOut = { optional: "the vendor's clients leave it out" } as const;

const emptyText = { ...leftOut, absent: "" } as const;

export const mountedDisks = { fields: { fileSystem: emptyText, mountTarget: emptyText, diskPartition: emptyText } } as const;

export const advanced = {
  fields: { desiredPodNumber: leftOut, gpuArgs: leftOut, preStartUserScript: leftOut, taints: leftOut, dataDisks: mountedDisks },
} as const;

export const newNodes = {
  runInstancesForNode: { fields: { instanceAdvancedSettingsOverrides: advanced } },
  runInstancePara: { there: false, instead: "RunInstancesForNode" },
  instanceAdvancedSettings: advanced,
  existedInstancesForNode: {
    fields: {
      existedInstancesPara: { fields: { instanceAdvancedSettings: advanced } },
      instanceAdvancedSettingsOverride: advanced,
    },
  },
} as const;
