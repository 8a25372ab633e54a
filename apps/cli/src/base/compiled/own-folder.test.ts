import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ownFolder } from "./own-folder.ts";

function place() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cogency-own-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = (...names: string[]) => join(folder, ...names);
  const made = (path: string, mode = 0o700) => {
    mkdirSync(at(path), { recursive: true });
    chmodSync(at(path), mode);
    return at(path);
  };
  return { at, made };
}

const names = ["cogency", "compiled"];

describe.skipIf(process.platform === "win32")("a folder that only the user can change", () => {
  it("is made where it is missing, for the user alone", () => {
    const { at } = place();
    expect(ownFolder(at("caches"), names)).toBe(at("caches/cogency/compiled"));
    expect(ownFolder(at("caches"), names)).toBe(at("caches/cogency/compiled"));
    for (const path of ["caches", "caches/cogency", "caches/cogency/compiled"])
      expect(lstatSync(at(path)).mode & 0o777).toBe(0o700);
  });

  it("is reached through links that only the user or root could have made, and its own part is never a link", () => {
    const { at, made } = place();
    made("disk/caches");
    symlinkSync("disk", at("relative"));
    symlinkSync(at("relative"), at("absolute"));
    expect(ownFolder(at("absolute/caches"), names)).toBe(at("disk/caches/cogency/compiled"));
    made("keys");
    made("first");
    made("second/cogency");
    symlinkSync(at("keys"), at("first/cogency"));
    symlinkSync(at("keys"), at("second/cogency/compiled"));
    for (const above of ["first", "second"]) expect(ownFolder(at(above), names)).toBeUndefined();
    symlinkSync("loop", at("loop"));
    expect(ownFolder(at("loop"), names)).toBeUndefined();
  });

  it("is in no folder in which others may write, unless they cannot replace there what is the user's", () => {
    const { at, made } = place();
    made("open/caches");
    chmodSync(at("open"), 0o777);
    made("group", 0o770);
    symlinkSync(at("open/caches"), at("link"));
    for (const above of ["open", "open/caches", "group", "link"]) {
      expect(ownFolder(at(above), names)).toBeUndefined();
      expect(existsSync(at(above, "cogency"))).toBe(false);
    }
    made("sticky", 0o1777);
    expect(ownFolder(at("sticky"), names)).toBe(at("sticky/cogency/compiled"));
    for (const mode of [0o777, 0o720, 0o1777]) {
      chmodSync(at("sticky/cogency"), mode);
      expect(ownFolder(at("sticky"), names)).toBeUndefined();
    }
  });

  it("is not what belongs to another user", () => {
    const { at } = place();
    expect(ownFolder(at("caches"), names)).toBeDefined();
    vi.spyOn(process, "getuid").mockReturnValue((process.getuid?.() ?? 0) + 1);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(ownFolder(at("caches"), names)).toBeUndefined();
  });

  it("is nothing where none can be made", () => {
    const { at } = place();
    writeFileSync(at("file"), "");
    for (const above of [at("file"), "/proc/1/nothing"]) expect(ownFolder(above, names)).toBeUndefined();
  });
});
