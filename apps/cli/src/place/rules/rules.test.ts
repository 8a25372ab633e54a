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

describe("rules about scripts", () => {
  it("allow one only if each of its commands matches one of them", () => {
    const rules = { allow: ["shell:git status", "shell:npm test", "shell:head -5"] };
    expect(shell(rules, "git status && npm test 2>&1 | head -5")).toBe("allow_anyway");
    for (const command of ["git status && npm ci", "npm test | sh", "npm test $(rm x)", "x=1; npm test", "npm test &"])
      expect(shell(rules, command), command).toBeUndefined();
  });

  it("allow a redirection only into a file that a pattern for write names, by its place", () => {
    const allow = ["shell:npm test", "write:docs/**"];
    expect(shell({ allow }, "npm test > docs/a.txt")).toBe("allow_anyway");
    for (const file of ["a.txt", "docs/link/a.txt", "docs/../a.txt", "$HOME/x", join(base, "docs/a.txt")])
      expect(shell({ allow }, `npm test > ${file}`), file).toBeUndefined();
    expect(shell({ allow: ["shell:npm test", "write"] }, "npm test > docs/a.txt")).toBeUndefined();
    expect(shell({ allow, deny: ["write:docs/a.txt"] }, "npm test > docs/a.txt")).toBe("deny");
    expect(shell({ allow, deny: ["write:docs/a.txt"] }, "npm test > docs/b.txt")).toBe("allow_anyway");
    expect(shell({ allow: ["shell"], deny: ["write:docs/a.txt"] }, "npm test > $x")).toBe("ask");
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
    ["echo $(git push)", "deny"],
    ['echo "$(true && `git push`)"', "deny"],
    ["for i in 1; do git push; done", "deny"],
    ["f() { git push; }; f", "deny"],
    ["if true; then /usr/bin/git push; fi", "deny"],
    ["cat <<E\n$(git push)\nE", "deny"],
    ["A=b git push", "deny"],
    ["git \\\n  push", "deny"],
    ["git pu\\\nsh | cat", "deny"],
    ["git push $x", "deny"],
    ["git status && npm test", "allow"],
    ["echo 'x; git push' | cat", "allow"],
    ["git status > out.txt", "allow"],
    ["bash -c 'git push'", "deny"],
    ["sh -ec 'ls; /usr/bin/git push' x", "deny"],
    ["bash -o pipefail -c -- 'git push'", "deny"],
    ["timeout 5 /bin/bash -c 'x=1; git push'", "deny"],
    [`bash -c "sh -c 'git push'"`, "deny"],
    ["su -c 'git push' ada", "deny"],
    ["eval 'git push'", "deny"],
    ["env A=b git push", "deny"],
    ["find . -exec git push {} \\;", "deny"],
    ["bash -c 'git status'", "allow"],
    ["bash build.sh", "allow"],
    ["bash -c 'x=push; git $x'", "ask"],
    [`bash -c "git $x"`, "ask"],
    // What cannot be compared with the rule is for a person, and what may be it.
    ["git -C src push origin", "ask"],
    ["git --no-pager push", "ask"],
    ["git -c a.b=c push", "ask"],
    ["git -c alias.p=push p", "ask"],
    ["git -c 'alias.p=!git push' p", "ask"],
    ["env -S 'git push'", "ask"],
    ["env -S'git push'", "ask"],
    ["env --split-string='git push'", "ask"],
    ["watch 'git push'", "ask"],
    ["script -qc 'git push' /dev/null", "ask"],
    ["flock f -c 'ls; /usr/bin/git push'", "ask"],
    ["unshare -r git push", "ask"],
    ["pnpm exec git push", "ask"],
    ["git submodule foreach 'git push'", "ask"],
    ["git rebase -x 'git push' HEAD~1", "ask"],
    [`awk 'BEGIN{system("git push")}'`, "ask"],
    [`sed -n '1e git push' f`, "ask"],
    ["git -C src status", "allow"],
    ["git --no-pager log push", "ask"],
    ["git log --grep=pushed", "allow"],
    ["npm run push", "allow"],
    ['eval "$x; git push"', "ask"],
    ["git p* | cat", "ask"],
    ["for i in 1; do echo; done", "ask"],
    ["git $(echo push)", "ask"],
    ["x=push; git $x", "ask"],
  ])("names the command %j: %s", (command, decision) => {
    expect(shell(rules, command)).toBe(decision);
    expect(shell(rules, command, { cwd: "src", hosts: ["a.example"] })).toBe(decision);
  });

  it("asks about a script that cannot be judged, which may write what the rule names", () => {
    const ofFiles = { allow: ["shell"], deny: ["write:secrets/**"] };
    expect(shell(ofFiles, "cd secrets && echo x > key")).toBe("ask");
    expect(shell(ofFiles, "ls && echo x > docs/key")).toBe("allow");
    expect(shell(ofFiles, "bash -c 'echo x > secrets/key'")).toBe("deny");
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
