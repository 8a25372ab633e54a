import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calling, jsonLines, place, resultsOf } from "./support/command-line.ts";
import { problemsOf } from "./support/run-output.ts";

const writes = [
  { name: "write", args: { file: "new.txt", content: "x" } },
  { name: "read", args: { file: "notes.txt" } },
];
const run = ["run", "go", "--conversation", "c", "--access", "project"];
const resume = ["run", "--resume", "--conversation", "c", "--access", "project"];

describe("cogency run --wait, without a terminal", () => {
  it("ends with 6 and the question, runs what asks nothing, and goes on where the call is allowed", async () => {
    const { cogency, folder } = place();
    const waiting = await cogency([...run, "--wait", ...calling(writes)]);
    expect([waiting.code, waiting.stdout]).toEqual([6, ""]);
    expect(waiting.stderr).toMatch(/^\? → write \{"file":"new.txt","content":"x"\}$/m);
    expect(waiting.stderr).toMatch(/^✓ read /m);
    expect(waiting.stderr).toMatch(/At a terminal, cogency --resume c --provider .* asks; with --deny it refuses\.$/m);
    expect(existsSync(join(folder, "new.txt"))).toBe(false);

    const again = await cogency([...resume, "--wait", "--json", ...calling([])]);
    expect(again.code).toBe(6);
    expect(jsonLines(again.stdout).map(({ type }) => type)).toContain("approval_requested");
    expect(await problemsOf(again)).toEqual([]);
    expect(jsonLines(again.stdout).at(-1)).toMatchObject({
      status: "waiting",
      waiting: [{ name: "write", args: { file: "new.txt" } }],
      exit: 6,
    });

    const { code, stdout } = await cogency([...resume, "--json", "--allow", "write", ...calling([])]);
    expect(code).toBe(0);
    expect(await problemsOf({ stdout })).toEqual([]);
    expect(resultsOf(stdout)).toMatchObject([{ status: "success" }, { status: "success" }]);
    expect(readFileSync(join(folder, "new.txt"), "utf8")).toBe("x");
  });

  it("is refused by --resume --deny, with the reason for the model", async () => {
    const { cogency, folder } = place();
    expect((await cogency([...run, "--wait", ...calling(writes)])).code).toBe(6);
    const { stdout: history } = await cogency(["history", "show", "c"]);
    expect(history).toContain('(asked: write {"file":"new.txt","content":"x"})');
    const { code, stdout } = await cogency([...resume, "--json", "--deny", ...calling([])]);
    expect(code).toBe(0);
    expect(resultsOf(stdout)[0]).toMatchObject({
      status: "failure",
      content: expect.stringContaining("the user has denied"),
    });
    expect(existsSync(join(folder, "new.txt"))).toBe(false);
  });

  it("is not what happens without the option: such a call is denied", async () => {
    const { cogency } = place();
    const { code, stdout } = await cogency([...run, "--json", ...calling(writes)]);
    expect(code).toBe(0);
    expect(resultsOf(stdout)[0]).toMatchObject({ status: "failure", content: expect.stringContaining("no terminal") });
  });

  it("cannot be combined with --yes or --deny", async () => {
    const { cogency } = place();
    for (const option of ["--yes", "--deny"]) {
      expect((await cogency([...run, "--wait", option])).code).toBe(2);
    }
  });
});
