/** Codes of errors that are others there, by the catalogue's. */
export const codes: Readonly<Record<string, string>> = {
  "InvalidParameter.SubnetConflict": "InvalidParameterValue.SubnetConflict",
  "UnsupportedOperation.InvalidRegion": "UnsupportedRegion",
  "UnauthorizedOperation.AccessMgmtNoAuth": "UnauthorizedOperation.CamNoAuth",
};
