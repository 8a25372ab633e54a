import { describe, expect, it } from "vitest";
import { builtInCommands } from "./built-in-commands.ts";
import { rulesNamed } from "./rules-named.ts";
import { turnRulesOf } from "./turn-rules-of.ts";

describe("rulesNamed", () => {
  it.each([
    ["Bash(git diff:*)", ["shell:git diff **"]],
    ["Bash(git diff *)", ["shell:git diff **"]],
    ["Bash(npm test)", ["shell:npm test"]],
    ["Bash", ["shell"]],
    ["Bash(*)", ["shell"]],
    ["Write(docs/**)", ["write:docs/**"]],
    ["Edit(src/*.ts)", ["edit:src/*.ts", "replace:src/*.ts"]],
    ["WebFetch(domain:example.org)", ["scrape:example.org"]],
    ["read", ["read"]],
  ])("of %s are %j", (entry, rules) => {
    expect(rulesNamed([entry])).toEqual(rules);
  });
});

describe("turnRulesOf", () => {
  const here = (isolated: boolean) => ({ base: "/project", isolated, hosts: [] });
  const command = {
    name: "fix",
    description: "Fixes.",
    text: "Fix.",
    allowedTools: ["Bash(git diff:*)", "Bash(npm test)"],
  };
  const yours = { ...command, place: "yours", isOwn: true };
  const [init, review] = builtInCommands.map((one) => ({ ...one, place: "built in", isOwn: false }));

  it.each<[string, typeof yours, boolean, readonly string[]]>([
    ["a file of yours, with a sandbox", yours, true, ["shell:git diff **", "shell:npm test"]],
    ["a file of yours, without a sandbox: only what spells each word out", yours, false, ["shell:npm test"]],
    ["a file of another agent", { ...yours, place: "~/.claude/commands/fix.md", isOwn: false }, true, []],
    ["a file of a project that calls its place yours", { ...yours, place: "yours", isOwn: false }, true, []],
  ])("%s", (_, one, isolated, allow) => {
    expect(turnRulesOf(one, "", here(isolated)).turn).toEqual({ allow });
  });

  it("a built-in command gives what a sandbox holds, and says nothing about it", () => {
    if (init === undefined || review === undefined) throw new Error("They are built in.");
    const { turn, told } = turnRulesOf(review, "main", here(true));
    expect(turn.allow).toContain("shell:git diff main...HEAD");
    expect(turn.readOnlyBut).toEqual(turn.allow);
    expect(told).toEqual(["Nothing is changed in this turn."]);
    expect(turnRulesOf(review, "main", here(false)).turn).toMatchObject({ allow: [], readOnlyBut: turn.readOnlyBut });
    expect(turnRulesOf(init, "", here(true))).toEqual({ turn: { allow: [] }, told: [] });
  });

  it.each(["--output=x", "a b", "$(rm)", "main;rm", "../x", "-p", "a..b", "*"])(
    "/review gives nothing for what is no name of a branch: %s",
    (given) => {
      if (review === undefined) throw new Error("It is built in.");
      expect(turnRulesOf(review, given, here(true)).turn).toEqual(turnRulesOf(review, "", here(true)).turn);
    },
  );
});
