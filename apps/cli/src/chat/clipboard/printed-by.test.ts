import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { printedBy } from "./printed-by.ts";

const limits = { most: 1000, time: 60_000 };
const shell = (script: string, more = limits) => printedBy("/bin/sh", ["-c", script], process.env, more);

it("has the bytes, and nothing of a program that fails or is not there", async () => {
  expect(await shell("printf 'a\\377'")).toEqual(Buffer.from([97, 255]));
  expect(await shell("printf a; exit 1")).toBeUndefined();
  expect(await printedBy("/no/such/program", [], {}, limits)).toBeUndefined();
  expect(await shell("cat; pwd")).toEqual(Buffer.from("/\n"));
});

it("ends a program that takes too long, with what it has started", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cogency-printed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const pid = join(folder, "pid");
  const waiting = shell(`sleep 1000 & echo $! > '${pid}'; wait`, { most: 1000, time: 300 });
  await expect(waiting).rejects.toThrow("The clipboard could not be read: /bin/sh gave nothing within 0.3 s.");
  const isGone = () => expect(() => process.kill(Number(readFileSync(pid, "utf8")), 0)).toThrow();
  await vi.waitFor(isGone, { timeout: 10_000 });
});
