import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("the demo shows a conversation, a batch that writes and reads, a failure and the history", () => {
  const demo = fileURLToPath(new URL("../demo/demo.ts", import.meta.url));
  // Where there is no sandbox, a run would say so.
  const env = { ...process.env, COGENCY_SANDBOX: "off" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [demo], { env, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain('$ cogency "list src and read package.json"');
  expect(stdout).toMatch(/→ read \{"file":"package\.json"\}\n(?:.*\n)*?✓ read \d+ bytes\n/);
  expect(stdout).toMatch(
    /✓ write 21 bytes, new\n {4}@ notes\/todo\.md\n {4}@@ .*\n {4}\+Greet in French, too\.\n(?:.*\n)*?✓ read 21 bytes\n/,
  );
  expect(stdout).toMatch(/✗ read "CHANGELOG\.md" does not exist/);
  expect(stdout).toContain("$ cogency history show demo\n> list src and read package.json\n");

  // Calls of a batch run side by side, so the order of their lines and their times differ. The sandbox is described to the model.
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const shown = /^````text\n(A conversation with the offline model.*?)\n````$/ms.exec(readme)?.[1];
  const lines = (text = "") =>
    text.split("\n").map((line) => line.replace(/\d+ tokens in/, "? tokens in").replace(/[\d.]+ s$/, "? s"));
  expect(lines(stdout)).toEqual(expect.arrayContaining(lines(shown)));
  expect(lines(shown).length).toBeGreaterThan(30);
});
