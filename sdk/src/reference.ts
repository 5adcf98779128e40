/** What the reference pages are made from: every operation, and the fields of its input and answer. */

export { catalogue } from "./catalogue/every-operation.ts";
export { commonCodes } from "./operation/errors.ts";
export { fieldsIn, type Field, valuesToTell } from "./operation/fields.ts";
