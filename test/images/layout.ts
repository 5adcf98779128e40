import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { types } from "../../sdk/src/served/registries/content.fixture.ts";
import { sha256 } from "../../sdk/src/served/registries/stage.fixture.ts";

/** Writes an image for two architectures as an OCI layout, and answers the digest of its index. */
export function writeLayout(folder: string): { index: string; amd64: string } {
  const blobs = join(folder, "blobs", "sha256");
  mkdirSync(blobs, { recursive: true });
  const add = (mediaType: string, bytes: Buffer) => {
    const digest = sha256(bytes);
    writeFileSync(join(blobs, digest.slice("sha256:".length)), bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const json = (mediaType: string, value: object) => add(mediaType, Buffer.from(JSON.stringify(value)));
  const manifests = ["amd64", "arm64"].map((architecture) => {
    const tar = tarOf(randomBytes(100_000));
    const layer = add(types.layer, gzipSync(tar));
    const config = { architecture, os: "linux", rootfs: { type: "layers", diff_ids: [sha256(tar)] }, config: {} };
    const built = { schemaVersion: 2, mediaType: types.image, config: json(types.config, config), layers: [layer] };
    return { ...json(types.image, built), platform: { architecture, os: "linux" } };
  });
  const listed = json(types.index, { schemaVersion: 2, mediaType: types.index, manifests });
  writeFileSync(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  const named = { ...listed, annotations: { "org.opencontainers.image.ref.name": "v1" } };
  writeFileSync(join(folder, "index.json"), JSON.stringify({ schemaVersion: 2, mediaType: types.index, manifests: [named] }));
  return { index: listed.digest, amd64: manifests[0]?.digest ?? "" };
}

function tarOf(content: Buffer): Buffer {
  const header = Buffer.alloc(512);
  const octal = (value: number, at: number, digits: number) => header.write(`${value.toString(8).padStart(digits - 1, "0")}\0`, at);
  header.write("content", 0);
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(content.length, 124, 12);
  octal(0, 136, 12);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  octal(sum, 148, 7);
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512), Buffer.alloc(1024)]);
}
