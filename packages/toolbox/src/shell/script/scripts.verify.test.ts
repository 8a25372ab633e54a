import { expect, it } from "vitest";
import { describeSandbox } from "../../../test/sandbox/describe-sandbox.ts";
import { generateScripts } from "../../../test/shell/scripts/generate-scripts.ts";
import { judgedScripts } from "../../../test/shell/scripts/hand-scripts.ts";
import { disagreement, recordScripts } from "../../../test/shell/scripts/record-scripts.ts";
import { shellRule } from "../shell-rule.ts";

describeSandbox("scripts that are judged", () => {
  it("run in bash as they were read: those written by hand", { timeout: 120_000 }, async () => {
    const recorded = await recordScripts(judgedScripts, "required");
    expect(recorded.length).toBeGreaterThan(130);
    expect(recorded.flatMap((one) => disagreement(one, true) ?? [])).toEqual([]);
  });

  it("run in bash as they were read: scripts made from a grammar", { timeout: 600_000 }, async () => {
    const recorded = await recordScripts(generateScripts(20_261_128, 4000), "required");
    expect(recorded.length).toBeGreaterThan(800);
    expect(recorded.flatMap((one) => disagreement(one, false) ?? [])).toEqual([]);
    const rule = shellRule(["git **", "cat **", "ls **", "echo **"], { isolated: true, writes: () => true });
    const allowed = recorded.filter(({ script }) => rule({ name: "shell", args: { command: script } }) !== "ask");
    expect(allowed.length).toBeGreaterThan(20);
    const named = new Set(["git", "cat", "ls", "echo"]);
    const others = allowed.flatMap(({ runs }) =>
      runs.flatMap(({ ran }) => ran.filter(([program = ""]) => !named.has(program))),
    );
    expect(others).toEqual([]);
  });
});
