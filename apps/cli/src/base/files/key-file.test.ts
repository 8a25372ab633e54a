import {
  chmodSync,
  chownSync,
  existsSync,
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
import { createKeyRing, type KeyRing } from "@cogency/tools";
import { describe, expect, it, onTestFinished } from "vitest";
import { existingKeyFile, openKeyFile } from "./key-file.ts";

const key = (digit: string) => digit.repeat(64);

function place() {
  const above = mkdtempSync(join(tmpdir(), "cogency-key-"));
  onTestFinished(() => rmSync(above, { recursive: true, force: true }));
  const folder = join(above, "config", "cogency");
  return { above, folder, file: join(folder, "keys") };
}

/** Makes a folder with a key file. */
function placeWith(text: string, mode = 0o600) {
  const at = place();
  mkdirSync(at.folder, { recursive: true, mode: 0o700 });
  writeFileSync(at.file, text);
  chmodSync(at.file, mode);
  return at;
}

const statement = { purpose: "record" } as const;
const signs = async (ring: KeyRing, other: KeyRing) => other.verify(statement, await ring.sign(statement));

describe("the file of the installation's keys", () => {
  it("is made at first use, readable by its owner only, and is never changed", async () => {
    const { folder, file } = place();
    const made = await openKeyFile(folder);
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(/^[\da-f]{64}\n$/);
    expect(await signs(made, await openKeyFile(folder))).toBe(true);
    expect(readFileSync(file, "utf8")).toBe(text);
    if (process.platform === "win32") return;
    expect([statSync(folder), statSync(file)].map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o600]);
  });

  it("is the same for processes that make it at once, and no draft is left", async () => {
    const { folder } = place();
    const made = await Promise.all(Array.from({ length: 20 }, () => openKeyFile(folder)));
    const proofs = await Promise.all(made.map((ring) => ring.sign(statement)));
    expect(new Set(proofs.map(({ key }) => key)).size).toBe(1);
    expect(readdirSync(folder)).toEqual(["keys"]);
  });

  it("is not made by reading", async () => {
    const { folder } = place();
    expect(await existingKeyFile(folder)).toBeUndefined();
    expect(existsSync(folder)).toBe(false);
  });

  it("may hold several keys, the newest first", async () => {
    const { folder } = placeWith(`${key("a")}\r\n\n${key("b")}`);
    const ring = await openKeyFile(folder);
    const [newest, older] = ["a", "b"].map((digit) => createKeyRing([Uint8Array.from(Buffer.from(key(digit), "hex"))]));
    expect(newest && (await signs(ring, newest))).toBe(true);
    expect(older && (await signs(older, ring))).toBe(true);
  });

  it.each([
    ["nothing", ""],
    ["a key that is too short", "ab".repeat(31)],
    ["something besides a key", `${key("a")}\nremember to rotate`],
    ["capital letters", key("A")],
    ["more than any ring", `${key("a")}\n`.repeat(1009)],
  ])("is refused with %s in it, without repeating it", async (_, text) => {
    const { folder } = placeWith(text);
    const failure = await openKeyFile(folder).catch(String);
    expect(failure).toMatch(
      /^UsageError: The key of this installation cannot be used: .*(hexadecimal digits\. Remove it|more than 65536 bytes)/,
    );
    if (text !== "") expect(failure).not.toContain(text.slice(0, 20));
  });

  describe.skipIf(process.platform === "win32")("is refused", () => {
    it.each([0o640, 0o604, 0o620, 0o602, 0o666])("with the mode %o, which lets other users in", async (mode) => {
      const { folder } = placeWith(key("a"), mode);
      await expect(openKeyFile(folder)).rejects.toThrow(/other users may read or write it.*chmod 600/);
    });

    it.each([0o770, 0o707, 0o777])("in a folder with the mode %o, to which other users may write", async (mode) => {
      const { folder } = placeWith(key("a"));
      chmodSync(folder, mode);
      await expect(openKeyFile(folder)).rejects.toThrow(/others may write to it.*chmod 700/);
    });

    it.each(["a file", "nothing", "itself"])("if it is a link to %s", async (target) => {
      const { above, folder, file } = place();
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const other = join(above, "other");
      if (target === "a file") writeFileSync(other, key("a"), { mode: 0o600 });
      symlinkSync(target === "itself" ? file : other, file);
      await expect(openKeyFile(folder)).rejects.toThrow(/keys: it is a link/);
      expect(existsSync(other)).toBe(target === "a file");
    });

    it("as a folder", async () => {
      const { folder, file } = place();
      mkdirSync(file, { recursive: true, mode: 0o700 });
      chmodSync(folder, 0o700);
      await expect(openKeyFile(folder)).rejects.toThrow(/it is no regular file/);
    });

    // Only root can give a file away.
    if (process.getuid?.() === 0)
      it.each(["keys", "."])("if %s belongs to another user", async (name) => {
        const { folder } = placeWith(key("a"));
        chownSync(join(folder, name), 12_345, 12_345);
        await expect(openKeyFile(folder)).rejects.toThrow(
          /it belongs to the user 12345, and this process is the user 0/,
        );
      });
  });

  it("fails with the system's error if it cannot be made", async () => {
    const { above } = place();
    writeFileSync(join(above, "config"), "a file");
    await expect(openKeyFile(join(above, "config", "cogency"))).rejects.toMatchObject({ code: "ENOTDIR" });
  });
});
