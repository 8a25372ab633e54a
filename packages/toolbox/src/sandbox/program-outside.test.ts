import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { programOutside } from "./program-outside.ts";

let folder = "";
let root = { base: "", given: "" };

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cogency-programs-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["bin", "later", "root/bin"]) mkdirSync(join(folder, name), { recursive: true });
  root = { base: join(folder, "root"), given: join(folder, "root") };
  program("root/bin/tool");
});

function program(path: string): string {
  const place = join(folder, path);
  writeFileSync(place, "#!/bin/sh\n");
  chmodSync(place, 0o755);
  return place;
}

const found = (...folders: string[]) =>
  programOutside("tool", root, folders.map((name) => (name.startsWith(".") ? name : join(folder, name))).join(":"));

it("finds the first program of the PATH, and none in the root or in a folder that is not absolute", () => {
  expect(found("root/bin", ".", "bin")).toBeUndefined();
  const later = program("later/tool");
  expect(found("root/bin", "bin", "later")).toBe(later);
  expect(found("bin", "later")).toBe(later);
});

it("passes by a link that leads into the root, and by a file that cannot run", () => {
  symlinkSync(join(folder, "root/bin/tool"), join(folder, "bin/tool"));
  expect(found("bin")).toBeUndefined();
  const later = program("later/tool");
  expect(found("bin", "later")).toBe(later);
  chmodSync(later, 0o644);
  expect(found("bin", "later")).toBeUndefined();
});
