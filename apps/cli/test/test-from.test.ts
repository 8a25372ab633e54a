import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { place } from "./support/command-line.ts";

describe("cogency test from", () => {
  it("writes a test and the file beside it, and prints the test's name and how to run it", async () => {
    const { cogency, folder: cwd } = place();
    await cogency(["run", "list .", "--provider", "offline", "--conversation", "c"]);
    const { code, stdout, stderr } = await cogency(["test", "from", "c"]);
    expect([code, stdout]).toEqual([0, "list.test.ts\n"]);
    expect(stderr).toContain("npx vitest run list.test.ts");
    const source = readFileSync(join(cwd, "list.test.ts"), "utf8");
    expect(source).toContain('it("answers: list ."');
    expect(source).toContain('from "./list.recorded.json"');
    const data = readFileSync(join(cwd, "list.recorded.json"), "utf8");
    for (const text of [source, data]) expect(text).not.toContain(cwd);
  });

  it("replaces no file without --force", async () => {
    const { cogency } = place();
    await cogency(["run", "list .", "--provider", "offline", "--conversation", "c"]);
    await cogency(["test", "from", "c", "--out", "a.test.ts"]);
    const again = await cogency(["test", "from", "c", "--out", "a.test.ts"]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("Give --force to overwrite it") });
    expect((await cogency(["test", "from", "c", "--out", "a.test.ts", "--force"])).code).toBe(0);
  });

  it.each([
    ["a.js", "vitest finds tests by names that end in .test.ts"],
    ["nowhere/a.test.ts", "there is no folder"],
  ])("refuses --out %s and says what to give", async (out, why) => {
    const { cogency } = place();
    await cogency(["run", "list .", "--provider", "offline", "--conversation", "c"]);
    expect(await cogency(["test", "from", "c", "--out", out])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(why),
    });
  });

  it("imports the agent that --agent names, from where the test stands", async () => {
    const { cogency, folder: cwd } = place();
    await cogency(["run", "list .", "--provider", "offline", "--conversation", "c"]);
    const { code, stderr } = await cogency([
      "test",
      "from",
      "c",
      "--out",
      "a.test.ts",
      "--agent",
      "./src/agent.ts#make",
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain("was not loaded");
    expect(readFileSync(join(cwd, "a.test.ts"), "utf8")).toContain('import { make } from "./src/agent.ts";');
  });

  it.each([
    [["--agent", "./src/agent.ts"], "give a module and the name"],
    [["--turns", "2-3"], "begins with the first turn"],
    [["--run-tools"], "--run-tools needs --agent"],
  ])("refuses %j with what to do", async (args, why) => {
    const { cogency } = place();
    await cogency(["run", "list .", "--provider", "offline", "--conversation", "c"]);
    const { code, stderr } = await cogency(["test", "from", "c", ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(why);
  });
});
