import { describe, expect, it } from "vitest";
import { matchesSkill } from "./call-matcher.ts";

describe("what a skill names in parentheses", () => {
  it.each<[calls: string, command: string, isNamed: boolean]>([
    ["git:*", "git", true],
    ["git:*", "git log -3", true],
    ["git:*", "git log && git diff", true],
    ["git *", "git log -3", true],
    ["git **", "git log -3", true],
    ["git diff:*", "git diff main", true],
    ["git diff:*", "git push", false],
    ["npm test", "npm test", true],
    ["npm test", "npm test -- --watch", false],
    ["git:*", "gitk", false],
    ["git:*", "git log; rm -rf .", false],
    ["git:*", "git log | sh", false],
    ["git:*", "git log > log.txt", false],
    ["git:*", "git $(rm -rf .)", false],
    ["git:*", "$GIT log", false],
    ["git:*", "PATH=. git log", false],
    ["git:*", "", false],
    ["", "git log", false],
    [":*", "git log", false],
    ["*", "git log", false],
    ["g*", "git log", false],
    ["git l*g", "git log", false],
    ["git log\nrm:*", "rm -rf .", false],
  ])("%j and the command %j", (calls, command, isNamed) => {
    expect(matchesSkill({ id: "c", name: "shell", args: { command } }, calls)).toBe(isNamed);
  });

  it("says nothing about the folder, the network or the time of a call, which the person's rules judge", () => {
    const args = { command: "curl https://a.example", hosts: ["a.example"], timeout: 5, cwd: "src" };
    expect(matchesSkill({ id: "c", name: "shell", args }, "curl:*")).toBe(true);
  });

  it.each([
    ["read", { file: "src/a.ts" }],
    ["shell", { command: 5 }],
    ["shell", {}],
  ])("is no call of %s with %j", (name, args) => {
    expect(matchesSkill({ id: "c", name, args }, "src/**")).toBe(false);
  });
});
