import { expect, test } from "vitest";
import { faultOf } from "./network-faults.ts";

const origin = { product: "vpc", action: "CreateVpc", requestId: "" };

function failure(code: string, syscall: string): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
}

test.each(["EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"])("%s: only a call whose connection was never there had no effect", (code) => {
  const attempt = failure(code, "connect");
  const attempts = Object.assign(new AggregateError([attempt, attempt]), { code });
  for (const error of [attempt, attempts, new TypeError("fetch failed", { cause: attempt })])
    expect(faultOf(error, "platform.example", origin)).toMatchObject({ code: "NotConnected", kind: "unsent" });
  for (const syscall of ["read", "write"])
    expect(faultOf(failure(code, syscall), "platform.example", origin)).toMatchObject({ kind: "unreachable" });
  const once = Object.assign(new AggregateError([attempt, failure(code, "write")]), { code });
  expect(faultOf(once, "platform.example", origin)).toMatchObject({ kind: "unreachable" });
});

test.each([
  ["ENOTFOUND", "connect", "unsent"],
  ["EAI_AGAIN", "getaddrinfo", "unsent"],
  ["ECONNREFUSED", "connect", "unsent"],
  ["UND_ERR_CONNECT_TIMEOUT", "connect", "unsent"],
  ["UND_ERR_HEADERS_TIMEOUT", "read", "unreachable"],
  ["UND_ERR_BODY_TIMEOUT", "read", "unreachable"],
  ["UND_ERR_SOCKET", "read", "unreachable"],
  ["ECONNRESET", "read", "unreachable"],
  ["EPIPE", "write", "unreachable"],
])("%s while the client does %s: the call is %s, which decides whether a creation is sent again", (code, syscall, kind) => {
  expect(faultOf(failure(code, syscall), "platform.example", origin)).toMatchObject({ kind });
});
