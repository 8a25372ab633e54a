import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { copiedFolder } from "./copied-folder.ts";

const { signal } = new AbortController();
let place = "";
let folder = "";

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "copied-folder-")));
  folder = join(place, "project");
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "src", "a.txt"), "first");
  vi.stubEnv("TMPDIR", place);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true });
});

const copies = () => readdirSync(place).filter((name) => name.startsWith("cogency-compare-"));

it("copies a folder: what is written to the copy is not in the folder, and removing it leaves nothing", async () => {
  const copy = await copiedFolder(folder, signal);
  writeFileSync(join(copy.path, "src", "a.txt"), "second");
  expect(dirname(dirname(copy.path))).toBe(place);
  expect(readFileSync(join(folder, "src", "a.txt"), "utf8")).toBe("first");
  copy.remove();
  expect(copies()).toEqual([]);
});

it("removes folders that may not be changed, as it copies them with their modes", async () => {
  chmodSync(join(folder, "src"), 0o500);
  const copy = await copiedFolder(folder, signal);
  copy.remove();
  chmodSync(join(folder, "src"), 0o700);
  expect(copies()).toEqual([]);
});

it("leaves out what is guarded, and lets links into the folder lead into the copy", async () => {
  symlinkSync(join(folder, "src", "a.txt"), join(folder, "in"));
  symlinkSync("/elsewhere", join(folder, "out"));
  writeFileSync(join(folder, "keys"), "secret");
  const copy = await copiedFolder(folder, signal, [join(folder, "keys")]);
  expect(readdirSync(copy.path).sort()).toEqual(["in", "out", "src"]);
  expect(readlinkSync(join(copy.path, "in"))).toBe(join(copy.path, "src", "a.txt"));
  expect(readlinkSync(join(copy.path, "out"))).toBe("/elsewhere");
  copy.remove();
});

it("does not copy itself where the folder holds the temporary folders", async () => {
  const copy = await copiedFolder(place, signal);
  expect(readdirSync(copy.path)).toEqual(["project"]);
  copy.remove();
});

it.each([
  [{ bytes: 1024 * 1024, entries: 10 }, "holds more than 1 MB"],
  [{ bytes: 1e9, entries: 2 }, "holds more than 2 files"],
])("refuses a folder above the limits %j, names it, and leaves nothing", async (limits, sentence) => {
  writeFileSync(join(folder, "large"), Buffer.alloc(2 * 1024 * 1024));
  const made = copiedFolder(folder, signal, [], limits);
  await expect(made).rejects.toThrow(
    `--calls run copies the folder, and ${folder} ${sentence}. Name a smaller one with --root, or leave --calls run out.`,
  );
  expect(copies()).toEqual([]);
});

it("ends at once when it is cancelled, and leaves nothing", async () => {
  await expect(copiedFolder(folder, AbortSignal.abort())).rejects.toThrow("aborted");
  expect([copies(), existsSync(folder)]).toEqual([[], true]);
});
