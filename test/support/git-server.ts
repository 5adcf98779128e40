import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { certify, makeAuthority } from "../../sdk/src/local/cluster/access/certificates.ts";

/**
 * `node git-server.ts <folder> <host>`: serves the bare repositories of a folder as `https://<host>/…`, by Git's own `git http-backend`. Prints
 * the address of a proxy that leads to them, so that the host has no port: Pulumi does not find plugins from an address that has one. The
 * authority to trust is in `authority.pem` of the folder, beside those that the machine trusts.
 */
const [folder = "", host = ""] = process.argv.slice(2);

/** Answers by the Common Gateway Interface: a header of the response is a line, and an empty line ends them. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? "", `https://${host}`);
  const env = {
    ...process.env,
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: "1",
    GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
    REQUEST_METHOD: request.method,
    PATH_INFO: pathname,
    QUERY_STRING: search.slice(1),
    CONTENT_TYPE: request.headers["content-type"] ?? "",
  };
  const backend = spawn("git", ["http-backend"], { env, stdio: ["pipe", "pipe", "inherit"] });
  request.pipe(backend.stdin);
  const parts: Buffer[] = [];
  backend.stdout.on("data", (part: Buffer) => parts.push(part));
  backend.on("close", () => {
    const all = Buffer.concat(parts);
    const end = all.indexOf("\r\n\r\n");
    const headers = all.subarray(0, end).toString().split("\r\n");
    for (const header of headers) {
      const [name = "", value = ""] = header.split(": ");
      if (name === "Status") response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.end(all.subarray(end + 4));
  });
}

const from = Date.now() - 60_000;
const authority = await makeAuthority("Git server of a test", randomBytes(32), from);
const { certificate, privateKey } = await certify(authority, { subject: host, kind: "server", from, names: [host] }, randomBytes(32));
const trusted = ["/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem", "/etc/pki/tls/certs/ca-bundle.crt"];
const known = trusted.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8"));
writeFileSync(join(folder, "authority.pem"), [authority.certificate, ...known].join("\n"));

const repositories = createTlsServer({ cert: certificate, key: privateKey }, answer).listen(0, "127.0.0.1");
const proxy = createServer();
proxy.on("connect", ({ url = "" }: IncomingMessage, socket, head: Buffer) => {
  const [name = "", port = "443"] = url.split(":");
  const target = name === host ? connect((repositories.address() as AddressInfo).port, "127.0.0.1") : connect(Number(port), name);
  target.once("connect", () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    target.write(head);
    target.pipe(socket).pipe(target);
  });
  for (const side of [target, socket]) side.on("error", () => [target, socket].forEach((each) => each.destroy()));
});
proxy.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
});
process.stdin.once("end", () => process.exit()).resume();
