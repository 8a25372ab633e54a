import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { call } from "../../../test/call.ts";
import { describeSandbox } from "../../../test/sandbox/describe-sandbox.ts";
import { freshFolder, inSandbox, projectAt } from "../../../test/sandbox/in-sandbox.ts";
import { shellTool } from "../../shell/shell-tool.ts";

const programFile = fileURLToPath(new URL("../../../test/sandbox/run-command.mjs", import.meta.url));

describeSandbox("placeholders for files that do not exist yet", () => {
  const folder = freshFolder();
  const store = () => join(folder.path, "store.db");
  const inProcess = (command: string) =>
    spawn(process.execPath, [programFile, folder.path, JSON.stringify([store()]), command], { stdio: "inherit" });
  const isThere = (name: string) =>
    expect.poll(() => existsSync(join(folder.path, name)), { timeout: 5000 }).toBe(true);

  it("stay until the last command of any process has ended", async () => {
    execFileSync("git", ["init", "--quiet", "--template=", folder.path]);
    const first = inProcess("bash -c 'echo on > first; while [ ! -e go ]; do sleep 0.01; done'");
    await isThere("first");
    const root = await projectAt(folder.path, { guarded: [store()] });
    const script = `echo on > second; while [ ! -e gone ]; do sleep 0.01; done
      mkdir e; echo ../e > .git/commondir; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; echo x > store.db`;
    const second = inSandbox(root, script);
    await isThere("second");
    await writeFile(join(folder.path, "go"), "");
    await once(first, "exit");
    await writeFile(join(folder.path, "gone"), "");
    expect((await second).match(/Read-only file system|Permission denied/g)).toHaveLength(3);
    expect(await readdir(join(folder.path, ".git"))).not.toContain("commondir");
    expect(await readdir(folder.path)).not.toContain("store.db");
  });

  it("are removed by the user's next command if the process that made them was killed", async () => {
    const process = inProcess("bash -c 'echo on > first; sleep 60'");
    await isThere("first");
    const gone = once(process, "exit");
    process.kill("SIGKILL");
    await gone;
    expect(await readdir(folder.path)).toContain("store.db");
    await call(shellTool(await projectAt(folder.path), { sandbox: "required" }), { command: "true" });
    expect(await readdir(folder.path)).toEqual(["first"]);
  });
});
