/** What reference pages are made of: every operation, and the fields of their inputs and answers. */

export { catalogue } from "./catalogue.ts";
export { commonCodes } from "./errors.ts";
export { fieldsIn, type Field, valuesToTell } from "./fields.ts";
