/** Where container clients log in. */
export const realm = "/service/token";
