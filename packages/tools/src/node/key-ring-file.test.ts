import { execFile } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keyRingFile } from "./key-ring-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "key-ring-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const statement = { purpose: "record", text: "yes" } as const;
const secret = "ab".repeat(32);

describe("keyRingFile", () => {
  it("makes a file that only its owner can read, in a folder that it makes, and reads it the next time", async () => {
    const path = join(folder, "config", "keys");
    const proof = await (await keyRingFile(path)).sign(statement);
    expect(await (await keyRingFile(path)).verify(statement, proof)).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "config")).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(folder, "config"))).toEqual(["keys"]);
  });

  it("verifies what an older line has signed, and signs with the first", async () => {
    const path = join(folder, "keys");
    const old = await (await keyRingFile(path)).sign(statement);
    writeFileSync(path, `${secret}\n${readFileSync(path, "utf8")}`);
    const ring = await keyRingFile(path);
    expect(await ring.verify(statement, old)).toBe(true);
    expect((await ring.sign(statement)).key).not.toBe(old.key);
  });

  it("gives one key to all that make the file at once", async () => {
    const path = join(folder, "keys");
    const rings = await Promise.all(Array.from({ length: 20 }, () => keyRingFile(path)));
    const proofs = await Promise.all(rings.map((ring) => ring.sign(statement)));
    expect(new Set(proofs.map(({ key }) => key)).size).toBe(1);
  });

  it("gives one key to several processes that make the file at once", async () => {
    const path = join(folder, "keys");
    const program = new URL("../../dist/node.js", import.meta.url).href;
    const code = `const { keyRingFile } = await import(${JSON.stringify(program)});
      console.log((await (await keyRingFile(${JSON.stringify(path)})).sign({ purpose: "record" })).key);`;
    const run = () => promisify(execFile)(process.execPath, ["--input-type=module", "-e", code]);
    const keys = await Promise.all([run(), run(), run(), run()]);
    expect(new Set(keys.map(({ stdout }) => stdout)).size).toBe(1);
  });

  /** A file with these permissions. */
  const holding =
    (text: string, mode = 0o600) =>
    (path: string) => {
      writeFileSync(path, text);
      chmodSync(path, mode);
    };
  const linked = (path: string) => {
    holding(secret)(`${path}.real`);
    symlinkSync(`${path}.real`, path);
  };

  it.each<[what: string, make: (path: string) => void, problem: string]>([
    ["that others can read", holding(secret, 0o644), "other users may read"],
    ["that its group can write", holding(secret, 0o620), "other users may read"],
    ["that is a link", linked, "it is a link"],
    ["that is a folder", (path) => mkdirSync(path, { mode: 0o700 }), "it is no regular file"],
    ["that is too large", holding("a".repeat(70_000)), "more than 65536 bytes"],
    ["that holds something else", holding("my password"), "64 hexadecimal digits"],
    ["that is empty", holding(""), "64 hexadecimal digits"],
  ])("refuses a file %s, with what to do, and leaves it as it is", async (_, make, problem) => {
    const path = join(folder, "keys");
    make(path);
    const error = await keyRingFile(path).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "key_ring_file", message: expect.stringContaining(problem) });
    expect((error as Error).message).not.toContain(secret);
    expect((error as Error).message).not.toContain("my password");
  });

  it("refuses what is no path", async () => {
    await expect(keyRingFile("")).rejects.toThrow("`path` is an empty string");
    await expect(keyRingFile(undefined as never)).rejects.toThrow("keyRingFile needs `path`");
  });
});
