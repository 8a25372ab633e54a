import { describe, expect, it } from "vitest";
import { allowRules } from "./allow-rules.ts";

const tool = {} as never;

describe("--allow", () => {
  it.each([
    [["read,write"], ["read", "write"]],
    [
      ["read", " write , list "],
      ["read", "write", "list"],
    ],
    [["shell"], ["shell"]],
    [["shell:git status", "shell"], ["shell"]],
    [[], []],
  ])("%j allows %j", (values, names) => {
    expect(allowRules(values)).toEqual(Object.fromEntries(names.map((name) => [name, "allow"])));
  });

  it.each([
    [["shell:git status"], "git status", "allow"],
    [["shell:git status"], "git status --short", "ask"],
    [["shell:git log **", "shell:npm test"], "npm test", "allow"],
    [["edit,shell:echo a,b"], "echo a,b", "allow"],
    [["shell: git  status"], "git status", "allow"],
  ])("%j: the command %j: %s", (values, command, decision) => {
    const rule = allowRules(values).shell;
    const call = { id: "1", name: "shell", args: { command } };
    expect(typeof rule === "function" ? rule(call, tool) : rule).toBe(decision);
  });

  it.each([
    [["reed"], /--allow: there is no tool "reed"\. There are read, write, .*read_result/],
    [["read,,write"], /there is no tool ""/],
    [["shel:git status"], /there is no tool "shel:git status"/],
    [["constructor"], /there is no tool/],
    [["shell:"], /^--allow: /],
    [["shell:npm *"], /^--allow: .*npm/],
    [["shell:sh -c *"], /^--allow: /],
  ])("%j is refused", (values, message) => {
    expect(() => allowRules(values)).toThrow(message);
  });
});
