import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { bin, calling, place, resultsOf } from "../support/command-line.ts";
import { isolation } from "../support/isolation.ts";

const { isolated } = await isolation();
const write = { name: "write", args: { file: "todo.md", content: "x" } };
const script = { name: "shell", args: { command: "for f in a b; do echo $f > $f.txt; done" } };

describe("--mode", () => {
  it.each([
    ["ask", [false, false]],
    ["edits", [true, false]],
    ["sandboxed", [true, true]],
  ] as const)("%s lets a change of a file and a script run: %j", async (mode, runs) => {
    if (mode === "sandboxed" && !isolated) return;
    const { cogency, folder } = place();
    const root = join(folder, "project");
    mkdirSync(root);
    const options = ["--root", root, "--sandbox", "auto", "--mode", mode];
    const { code } = await cogency(["run", "go", ...options, ...calling([write], [script])]);
    expect(code).toBe(0);
    expect(["todo.md", "a.txt"].map((file) => existsSync(join(root, file)))).toEqual(runs);
  });

  it("read-only is --read-only", async () => {
    const { cogency, folder } = place();
    const { code, stdout } = await cogency(["run", "go", "--json", "--mode", "read-only", ...calling([write])]);
    expect(code).toBe(0);
    expect(resultsOf(stdout)[0]).toMatchObject({ status: "failure" });
    expect(existsSync(join(folder, "todo.md"))).toBe(false);
  });

  it.each([
    [["--sandbox", "off"], /the sandbox is off\. Leave --sandbox off out\./],
    [["--sandbox", "auto", "--access", "system"], /Take --access project\./],
    [["--sandbox", "auto", "--network", "full"], /Name the hosts/],
  ])("sandboxed with %j ends with exit code 2 before anything runs", async (options, reason) => {
    const { cogency, folder } = place();
    const ended = await cogency(["run", "go", "--mode", "sandboxed", ...options, ...calling([write])]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(
      /^The mode sandboxed cannot be used here: |: The mode sandboxed cannot be used here: /,
    );
    expect(ended.stderr).toMatch(reason);
    expect(existsSync(join(folder, "todo.md"))).toBe(false);
  });

  it.runIf(isolated)("sandboxed is refused where the home folder is in the root", async () => {
    const { cogency } = place();
    const ended = await cogency(["run", "go", "--sandbox", "auto", "--mode", "sandboxed", ...calling([write])]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(/your home folder is in the root.* give one with --root\./);
  });

  it.runIf(isolated)("sandboxed is refused where a command could change cogency itself", async () => {
    const { cogency } = place();
    const options = ["--sandbox", "auto", "--mode", "sandboxed", "--root", dirname(dirname(bin))];
    const ended = await cogency(["run", "go", ...options, ...calling([write])], { process: true });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(/cogency itself is installed in the root/);
  });

  it("cannot be widened by the configuration of a folder that is not trusted", async () => {
    const { cogency, folder } = place();
    mkdirSync(join(folder, ".cogency"));
    writeFileSync(join(folder, ".cogency", "config.json"), '{ "mode": "edits" }');
    const { stderr } = await cogency(["run", "go", ...calling([write])]);
    expect(stderr).toMatch(/not trusted/);
    expect(existsSync(join(folder, "todo.md"))).toBe(false);
  });

  it("is in the command that goes on, and cannot stand beside --yes", async () => {
    const { cogency } = place();
    const { stderr } = await cogency(["run", "go", "--mode", "edits", ...calling([])]);
    expect(stderr).toMatch(/cogency --resume \S+ .*--mode edits/);
    expect(await cogency(["run", "go", "--mode", "edits", "--yes", ...calling([])])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--mode.*cannot be used with.*--yes/),
    });
  });

  it("--deny denies what still asks", async () => {
    const { cogency, folder } = place();
    const { code } = await cogency(["run", "go", "--mode", "edits", "--deny", ...calling([write], [script])]);
    expect(code).toBe(0);
    expect(["todo.md", "a.txt"].map((file) => existsSync(join(folder, file)))).toEqual([true, false]);
  });
});
