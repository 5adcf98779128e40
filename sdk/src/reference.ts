/** What reference pages are made of: every operation, and the fields of their inputs and answers. */

export { catalogue } from "./catalogue/every-operation.ts";
export { commonCodes } from "./operation/errors.ts";
export { fieldsIn, type Field, valuesToTell } from "./operation/fields.ts";
