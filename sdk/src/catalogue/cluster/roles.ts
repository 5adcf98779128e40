// Apart from the operations: rules need the names alone.

export const roleTypes = ["cluster", "namespace"] as const;
export type RoleType = (typeof roleTypes)[number];

/** The preset roles, each with its scope (specification, Authentication 5). */
export const presetRoles = {
  "svc:admin": "cluster",
  "svc:ops": "cluster",
  "svc:dev": "cluster",
  "svc:ro": "cluster",
  "svc:ns:dev": "namespace",
  "svc:ns:ro": "namespace",
} as const satisfies Record<string, (typeof roleTypes)[number]>;
export type PresetRole = keyof typeof presetRoles;
