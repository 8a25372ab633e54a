import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calling, ownProcesses } from "./support/command-line.ts";

describe("cogency rewind", () => {
  it("restores nothing outside of the folder, unless its access is as wide as that of the run", async () => {
    const { cogency, folder } = ownProcesses();
    const work = join(folder, "work");
    mkdirSync(work);
    const outside = join(folder, "outside.txt");
    const call = calling([{ name: "write", args: { file: outside, content: "agent" } }]);
    await cogency(["run", "one", "--conversation", "c", "--yes", "--access", "system", ...call], { cwd: work });
    const narrow = await cogency(["rewind", "c", "--files", "--to", "1", "--yes"], { cwd: work });
    expect(narrow).toMatchObject({ code: 1, stdout: expect.stringContaining("--access") });
    expect(existsSync(outside)).toBe(true);
    const wide = await cogency(["rewind", "c", "--files", "--to", "1", "--yes", "--access", "system"], { cwd: work });
    expect(wide.code).toBe(0);
    expect(existsSync(outside)).toBe(false);
  });
});
