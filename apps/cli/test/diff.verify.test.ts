import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calling, ownProcesses, place } from "./support/command-line.ts";

const writing = (content: string) => calling([{ name: "write", args: { file: "a.txt", content, overwrite: true } }]);

describe("cogency diff", () => {
  it("prints what the last turn of the latest conversation of the folder has changed, or all since a turn", async () => {
    const { cogency } = ownProcesses();
    await cogency(["run", "one", "--conversation", "c", "--yes", ...writing("one\n")]);
    await cogency(["run", "two", "--conversation", "c", "--yes", ...writing("two\n")]);
    const last = await cogency(["diff"]);
    expect(last).toMatchObject({ code: 0, stdout: "@ a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n" });
    expect(last.stderr).toBe('1 file changed since turn 2, "two":\na.txt: changed, +1 −1\n');
    const all = await cogency(["diff", "c", "--since", "1"]);
    expect(all.stdout).toBe("@ a.txt\n@@ -0,0 +1,1 @@\n+two\n");
    expect((await cogency(["diff", "c", "--since", "3"])).stderr).toContain("There is no turn 3: 1 to 2.");
  });

  it("prints what the folder holds that its last commit does not, and nothing of the folder runs for it", async () => {
    const { cogency, folder } = place();
    expect(await cogency(["diff", "--tree"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/in no git repository/),
    });
    execFileSync("git", ["init", "--quiet"], { cwd: folder });
    execFileSync("git", ["config", "core.fsmonitor", `touch ${join(folder, "ran")}`], { cwd: folder });
    writeFileSync(join(folder, "b.txt"), "bee\n");
    const { code, stdout } = await cogency(["diff", "--tree"]);
    expect(code).toBe(0);
    expect(stdout).toContain("@ b.txt\n@@ -0,0 +1 @@\n+bee\n");
    expect(stdout).not.toContain("@ ran");
    expect((await cogency(["diff", "c", "--tree"])).code).toBe(2);
  });
});
