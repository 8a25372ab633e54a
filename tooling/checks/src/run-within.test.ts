import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runWithin } from "./run-within.ts";

describe("runWithin", () => {
  const node = (script: string) => ({ file: process.execPath, args: ["-e", script], cwd: tmpdir(), env: process.env });

  it("returns the exit code of a command that ends in time", async () => {
    expect(await runWithin(node("process.exit(3)"), 60_000)).toEqual({ exitCode: 3, isOverdue: false });
  });

  it("kills a command that does not end", async () => {
    expect(await runWithin(node("for (;;);"), 100)).toEqual({ exitCode: 1, isOverdue: true });
  });

  it("fails when the command cannot be started", async () => {
    await expect(runWithin({ ...node(""), file: join(tmpdir(), "missing/node") }, 60_000)).rejects.toThrow("ENOENT");
  });
});
