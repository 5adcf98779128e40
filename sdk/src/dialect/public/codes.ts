/** Codes of errors that are others there, by the catalogue's. */
export const codes: Readonly<Record<string, string>> = {
  "InvalidParameter.SubnetConflict": "InvalidParameterValue.SubnetConflict",
  "UnsupportedOperation.InvalidRegion": "UnsupportedRegion",
  "UnauthorizedOperation.AccessMgmtNoAuth": "UnauthorizedOperation.CamNoAuth",
};

/** The codes of a missing cluster or pool, for operations whose list does not have `ResourceNotFound`. */
export const noCluster = { codes: { ResourceNotFound: "ResourceNotFound.ClusterNotFound" } } as const;
export const noRecord = { codes: { ResourceNotFound: "InternalError.DbRecordNotFound" } } as const;
