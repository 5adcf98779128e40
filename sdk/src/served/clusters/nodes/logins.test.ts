import { expect, test } from "vitest";
import { askedFrom, imageName, isFor, loginsIn } from "./puller.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const type = "kubernetes.io/dockerconfigjson";
const secretWith = (json: unknown) => ({ type, data: { ".dockerconfigjson": base64(JSON.stringify(json)) } });

test("logins are read in every form that Kubernetes takes", () => {
  const plain = { username: "u", password: "p:1" };
  expect(loginsIn(secretWith({ auths: { "a.example": plain } }))).toEqual([{ pattern: "a.example", ...plain }]);
  expect(loginsIn(secretWith({ auths: { "a.example": { auth: base64("u:p:1") } } }))).toEqual([{ pattern: "a.example", ...plain }]);
  const old = { type: "kubernetes.io/dockercfg", data: { ".dockercfg": base64(JSON.stringify({ "a.example": plain })) } };
  expect(loginsIn(old)).toEqual([{ pattern: "a.example", ...plain }]);
});

test("a secret that is none for pulls says so", () => {
  expect(loginsIn({ type: "Opaque", data: {} })).toBe(
    "is of type Opaque; a pull secret is of type kubernetes.io/dockerconfigjson or kubernetes.io/dockercfg",
  );
  for (const wrong of [secretWith({ "a.example": {} }), { type, data: {} }, { type, data: { ".dockerconfigjson": base64("{") } }])
    expect(loginsIn(wrong)).toMatch(/^has no logins in \.dockerconfigjson: it takes/);
});

test.each([
  ["acme.example", "acme.example", "team/web", true],
  ["https://acme.example/v1/", "acme.example", "team/web", true],
  ["ACME.example", "acme.example", "team/web", true],
  ["*.example", "acme.example", "team/web", true],
  ["acme-*.example", "acme-vpc.example", "team/web", true],
  ["*.example", "a.b.example", "team/web", false],
  ["acme.example/team", "acme.example", "team/web", true],
  ["acme.example/other", "acme.example", "team/web", false],
  ["acme.example", "acme-vpc.example", "team/web", false],
  ["127.0.0.1:5000", "127.0.0.1:5000", "team/web", true],
  ["127.0.0.1", "127.0.0.1:5000", "team/web", false],
])("a login for %s, and an image at %s/%s: %s", (pattern, host, repository, fits) => {
  expect(isFor({ pattern, username: "", password: "" }, host, repository)).toBe(fits);
});

test.each([
  ["web", "docker.io", "web"],
  ["team/web:v1", "docker.io", "team/web:v1"],
  ["localhost/web", "localhost", "web"],
  ["127.0.0.1:5000/team/web:v1", "127.0.0.1:5000", "team/web:v1"],
  ["Acme.example/team/web@sha256:1", "acme.example", "team/web@sha256:1"],
])("%s is at %s", (image, host, rest) => {
  expect(imageName(image)).toEqual({ host, rest });
});

test("a digest counts before a tag, and without both it is latest", () => {
  const digest = `sha256:${"a".repeat(64)}`;
  expect(askedFrom("team/web")).toEqual({ name: "team/web", reference: { tag: "latest" } });
  expect(askedFrom("team/web:v1")).toEqual({ name: "team/web", reference: { tag: "v1" } });
  expect(askedFrom(`team/web:v1@${digest}`)).toMatchObject({ name: "team/web", reference: { digest: { text: digest } } });
  expect(() => askedFrom("Team/web:v1")).toThrow(/is no name of a repository/);
  expect(() => askedFrom("team/web:-")).toThrow(/is no tag/);
  expect(() => askedFrom("team/web@sha256:1")).toThrow(/is no digest/);
});
