import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { calling, models, place } from "./support/command-line.ts";

it("writes tests of runs that pass, and that fail when the instructions change", async () => {
  const { cogency } = place();
  await cogency(["run", "list . and read notes.txt", "--provider", "offline", "--conversation", "a"]);
  await cogency([
    "run",
    "What do the notes say?",
    "--provider",
    models,
    "--model",
    "thoughtful",
    "--conversation",
    "b",
  ]);
  const shell = { name: "shell", args: { command: "cat nothing.txt" } };
  await cogency(["run", "go", "--yes", "--conversation", "c", ...calling([shell])]);
  // In the package, where the imports of a test are found.
  const folder = await mkdtemp(join(import.meta.dirname, "written-"));
  try {
    for (const name of ["a", "b", "c"]) {
      const { code, stderr } = await cogency(["test", "from", name, "--out", join(folder, `${name}.test.ts`)]);
      expect(stderr).toContain("npx vitest run");
      expect(code).toBe(0);
    }
    const source = await readFile(join(folder, "a.test.ts"), "utf8");
    const changed = source.replace("    ...parts,", '    ...parts,\n    identity: "Somebody else.",');
    await writeFile(join(folder, "changed.test.ts"), changed);
    await writeFile(join(folder, "vitest.config.js"), "export default { test: { include: ['*.test.ts'] } };\n");
    const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
    const { COGENCY_TESTS: _, VITEST: __, ...env } = process.env;
    const ran = await promisify(execFile)(process.execPath, [vitest, "run", "--root", folder], {
      env: { ...env, NO_COLOR: "1" },
    }).catch((error: { stdout: string; stderr: string }) => error);
    const output = `${ran.stdout}${ran.stderr}`;
    expect(output).toMatch(/1 failed.* 3 passed/);
    expect(output).toContain("Request 1 to the model differs in its system prompt, line 1");
    expect(output).toContain("Somebody else.");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
