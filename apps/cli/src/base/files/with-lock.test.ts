import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { withLock } from "./with-lock.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "with-lock-"));
  file = join(folder, "file");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("does one work after another, and leaves no lock", async () => {
  let atWork = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++atWork);
    await new Promise((resolve) => setTimeout(resolve, 5));
    atWork--;
  };
  await Promise.all(Array.from({ length: 5 }, () => withLock(file, work)));
  expect(most).toBe(1);
  expect(existsSync(`${file}.lock`)).toBe(false);
});

it("breaks the lock of a process that died", async () => {
  writeFileSync(`${file}.lock`, "of the dead");
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(`${file}.lock`, longAgo, longAgo);
  expect(await withLock(file, async () => "done")).toBe("done");
  expect(existsSync(`${file}.lock`)).toBe(false);
});

it("leaves the lock of another process alone that has taken it meanwhile, because this one was held up", async () => {
  await withLock(file, async () => writeFileSync(`${file}.lock`, "of the next"));
  expect(readFileSync(`${file}.lock`, "utf8")).toBe("of the next");
});
