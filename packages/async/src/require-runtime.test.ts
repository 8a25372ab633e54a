import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

it("an older runtime is told which one is needed while it loads the package", () => {
  const code = 'delete Promise.withResolvers; await import("@cogency/async");';
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain("Cogency needs a newer JavaScript runtime: Node.js 22.13 or later");
});
