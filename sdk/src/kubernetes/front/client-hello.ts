/** What is read of the beginning of a TLS connection: the name of the server that the client wants. */

const handshake = 22;
const serverNameExtension = 0;
/** A hello has no more bytes than one record. */
const mostBytes = 5 + 2 ** 14;

export type Hello = { readonly serverName: string | undefined } | "more" | "no TLS";

/** What the first bytes of a connection say; `more` if more of them are needed. */
export function helloIn(bytes: Buffer): Hello {
  if (bytes.length === 0) return "more";
  if (bytes[0] !== handshake) return "no TLS";
  if (bytes.length < 5) return "more";
  const end = 5 + bytes.readUInt16BE(3);
  if (end > mostBytes) return "no TLS";
  if (bytes.length < end) return "more";
  try {
    return { serverName: serverNameIn(bytes.subarray(0, end)) };
  } catch (error) {
    // A length in it leads beyond its end.
    if (error instanceof RangeError) return "no TLS";
    throw error;
  }
}

/** RFC 8446, 4.1.2 and RFC 6066, 3. */
function serverNameIn(hello: Buffer): string | undefined {
  // Record and handshake headers, version and random bytes.
  let at = 5 + 4 + 2 + 32;
  at += 1 + hello.readUInt8(at); // session
  at += 2 + hello.readUInt16BE(at); // cipher suites
  at += 1 + hello.readUInt8(at); // compression methods
  const end = at + 2 + hello.readUInt16BE(at);
  at += 2;
  while (at < end) {
    const type = hello.readUInt16BE(at);
    const size = hello.readUInt16BE(at + 2);
    at += 4;
    // A list of names, of which there is one, a host's: the list's length, the name's type, its length, and the name.
    if (type === serverNameExtension)
      return hello
        .subarray(at + 5, at + 5 + hello.readUInt16BE(at + 3))
        .toString("latin1")
        .toLowerCase();
    at += size;
  }
  return undefined;
}
