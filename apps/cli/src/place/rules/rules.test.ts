import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { decisionBy, type Rules } from "./rules.ts";

const base = mkdtempSync(join(tmpdir(), "cogency-wide-"));
mkdirSync(join(base, "secrets"));
mkdirSync(join(base, "docs"));
symlinkSync(join(base, "secrets"), join(base, "docs", "link"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const surroundings = { base, isolated: false, hosts: [] };
const decide = (rules: Rules, name: string, args: JsonObject) =>
  decisionBy(rules, surroundings)({ id: "1", name, args }, {} as never);
const shell = (rules: Rules, command: string, more: JsonObject = {}) => decide(rules, "shell", { command, ...more });

describe("rules of several files", () => {
  it("deny before they ask, and ask before they allow", () => {
    const allow = ["shell:git push", "shell:git status", "shell:npm test"];
    const rules = { allow, ask: ["shell:git status", "shell:git push"], deny: ["shell:git push"] };
    expect(shell(rules, "git push")).toBe("deny");
    expect(shell(rules, "git status")).toBe("ask");
    expect(shell(rules, "npm test")).toBe("allow_anyway");
    expect(shell(rules, "npm run build")).toBeUndefined();
    expect(decide({ allow: ["write"], deny: ["write,edit"] }, "write", { file: "a" })).toBe("deny");
    expect(decide({ deny: ["write"] }, "read", { file: "a" })).toBeUndefined();
  });

  it("after always for one command, ask for that command with another one, and for others", () => {
    const rules = { allow: ["shell:git status"] };
    expect(shell(rules, "git status")).toBe("allow_anyway");
    for (const command of ["git status; rm x", "git status && rm x", "git push", "git status -s"])
      expect(shell(rules, command)).toBeUndefined();
  });
});

describe("a rule that denies", () => {
  const rules = {
    allow: ["shell", "write", "scrape"],
    deny: ["shell:git push **", "write:secrets/**", "scrape:evil.example"],
  };

  it.each([
    ["git push", "deny"],
    ["git push --force origin", "deny"],
    ["cd src && git push", "deny"],
    ["true; git push;", "deny"],
    ["echo a | git push", "deny"],
    ["(git push)", "deny"],
    ["/usr/bin/git push", "deny"],
    ["'git' push", "deny"],
    ["git status", "allow"],
    ["git pushd", "allow"],
    ["echo 'git push'", "allow"],
    // What cannot be compared with the rule is for a person.
    ["git $(echo push)", "ask"],
    ["x=push; git $x", "ask"],
  ])("names the command %j: %s", (command, decision) => {
    expect(shell(rules, command)).toBe(decision);
    expect(shell(rules, command, { cwd: "src", hosts: ["a.example"] })).toBe(decision);
  });

  it.each([
    ["secrets/key", "deny"],
    ["./secrets/new/key", "deny"],
    ["docs/../secrets/key", "deny"],
    ["docs/link/key", "deny"],
    [join(base, "secrets", "key"), "deny"],
    ["docs/a.md", "allow"],
  ])("names the file %j: %s", (file, decision) => {
    expect(decide(rules, "write", { file })).toBe(decision);
  });

  it.each([
    ["https://evil.example/a", "deny"],
    ["http://evil.example:8080/", "deny"],
    ["https://me:pw@EVIL.example/", "deny"],
    ["https://good.example/evil.example", "allow"],
  ])("names the address %j: %s", (url, decision) => {
    expect(decide(rules, "scrape", { url })).toBe(decision);
  });
});
