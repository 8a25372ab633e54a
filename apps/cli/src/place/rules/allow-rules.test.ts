import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowRules } from "./allow-rules.ts";

const tool = {} as never;
const base = mkdtempSync(join(tmpdir(), "cogency-rules-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const surroundings = { base, isolated: false, hosts: [] };

describe("--allow", () => {
  it.each([
    [["read,write"], ["read", "write"]],
    [
      ["read", " write , list "],
      ["read", "write", "list"],
    ],
    [["shell"], ["shell"]],
    [[], []],
  ])("%j allows %j", (values, names) => {
    expect(allowRules(values, surroundings)).toEqual(Object.fromEntries(names.map((name) => [name, "allow"])));
  });

  it.each([
    [["shell:git status"], "git status", "allow_anyway"],
    [["shell:git status"], "git status --short", "ask"],
    [["shell:echo **", "shell:npm test"], "npm test", "allow_anyway"],
    [["edit,shell:echo a,b"], "echo a,b", "allow_anyway"],
    [["shell: git  status"], "git status", "allow_anyway"],
  ])("%j: the command %j: %s", (values, command, decision) => {
    const rule = allowRules(values, surroundings).shell;
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
    expect(() => allowRules(values, surroundings)).toThrow(message);
  });

  it.each<[string, JsonObject, boolean]>([
    ["scrape:docs.example.org", { url: "https://docs.example.org/a?b" }, true],
    ["scrape:docs.example.org", { url: "http://DOCS.example.org:80/" }, true],
    ["scrape:docs.example.org", { url: "https://docs.example.org:8443/" }, false],
    ["scrape:docs.example.org", { url: "https://docs.example.org.evil.example/" }, false],
    ["scrape:docs.example.org", { url: "https://evil.example/docs.example.org" }, false],
    ["scrape:docs.example.org", { url: "https://docs.example.org@evil.example/" }, false],
    ["scrape:docs.example.org", { url: "https://evil.example#@docs.example.org/" }, false],
    ["scrape:docs.example.org", { url: "https://evil.example\\@docs.example.org/" }, false],
    ["scrape:docs.example.org", { url: "https://me:pw@docs.example.org/" }, false],
    ["scrape:docs.example.org", { url: "ftp://docs.example.org/" }, false],
    ["scrape:docs.example.org", { url: "docs.example.org" }, false],
    ["scrape:docs.example.org", { url: "https://d\u043ecs.example.org/" }, false],
    ["scrape:docs.example.org", { url: 5 }, false],
    ["scrape:docs.example.org", {}, false],
    ["scrape:*.example.org", { url: "https://a.b.example.org/" }, true],
    ["scrape:*.example.org", { url: "https://example.org/" }, false],
    ["scrape:*.example.org", { url: "https://evilexample.org/" }, false],
    ["scrape:localhost:8080", { url: "http://localhost:8080/x" }, true],
    ["scrape:localhost:8080", { url: "http://localhost/x" }, false],
    ["scrape:bücher.example", { url: "https://xn--bcher-kva.example/" }, true],
    ["search:*", { query: "anything" }, true],
    ["write:docs/**", { file: "docs/a/b.md" }, true],
    ["write:docs/**", { file: "./docs/new/b.md" }, true],
    ["write:docs/**", { file: "documents/b.md" }, false],
    ["write:docs/**", { file: "docs/../package.json" }, false],
    ["write:docs/**", { file: "docs/a/../../package.json" }, false],
    ["write:docs/**", { file: "docs/link/../package.json" }, false],
    ["write:docs/**", { file: "docs\\..\\package.json" }, false],
    ["write:docs/**", { file: "docs/link/x" }, false],
    ["write:docs/**", { file: "docs/dangling" }, false],
    ["write:docs/**", { file: "docs/dangling/x" }, false],
    ["write:docs/**", { file: "docs/\u0000" }, false],
    ["write:docs/**", { file: "" }, false],
    ["write:docs/**", { file: ["docs/a"] }, false],
    ["write:elsewhere/**", { file: "docs/link/x" }, true],
    ["write:docs/**", { file: join(base, "docs", "a.md") }, true],
    ["write:docs/**", { file: "/docs/a.md" }, false],
    ["write:*.md", { file: "a.md" }, true],
    ["write:*.md", { file: "docs/a.md" }, false],
    ["write:**/*.md", { file: "docs/a.md" }, true],
    ["write:./a.md", { file: "a.md" }, true],
    ["write:/etc/*.conf", { file: "/etc/x.conf" }, true],
    ["write:/etc/*.conf", { file: "etc/x.conf" }, false],
    ["edit:src/{a,b}.ts", { file: "src/b.ts" }, true],
    ["replace:docs/**", { path: "docs" }, true],
    ["replace:docs/**", { path: "docs/deep" }, true],
    ["replace:docs/**", { path: "." }, false],
    ["replace:docs/**", {}, false],
    ["replace:docs/**", { path: "docs/link" }, false],
    ["write:{docs,src}/**", { file: "docs/.envrc" }, true],
  ])("%s names %j: %s", (rule, args, isNamed) => {
    const name = rule.slice(0, rule.indexOf(":"));
    const own = allowRules([rule], surroundings)[name];
    const decision = typeof own === "function" ? own({ id: "1", name, args }, tool) : own;
    expect(decision).toBe(isNamed ? "allow_anyway" : "ask");
  });

  it.each([
    "**",
    "*",
    "**/*",
    "?*/**",
    "[a-z.]*",
    "**/*.*",
    ".*",
    "{docs/**,**}",
    "{,.}*",
    "/**",
    "./**",
    "**/.[a-z]*",
  ])("write:%s names no file, so that it allows what `write` alone does", (pattern) => {
    const { write } = allowRules([`write:${pattern}`], surroundings);
    const files = [".envrc", "package.json", "a.md", "docs/a.md", join(base, "docs", ".envrc")];
    const said = files.map((file) =>
      typeof write === "function" ? write({ id: "1", name: "write", args: { file } }, tool) : write,
    );
    expect(said).not.toContain("allow_anyway");
    expect(said).toContain("allow");
  });

  it("allows a tool that is named beside its pattern, and calls that match the pattern anyway", () => {
    for (const values of [["shell:git status", "shell"], ["shell,shell:git status"]]) {
      const { shell } = allowRules(values, surroundings);
      const decide = (command: string) =>
        typeof shell === "function" ? shell({ id: "1", name: "shell", args: { command } }, tool) : shell;
      expect([decide("git status"), decide("ls")]).toEqual(["allow_anyway", "allow"]);
    }
  });

  it.each([
    [["scrape:"], /scrape takes a host/],
    [["scrape:https://docs.example.org"], /scrape takes a host/],
    [["scrape:docs.example.org/path"], /scrape takes a host/],
    [["scrape:me@docs.example.org"], /scrape takes a host/],
    [["scrape:*"], /scrape takes a host/],
    [["scrape:*.*.org"], /scrape takes a host/],
    [["search:bread"], /"search:\*"/],
    [["write:"], /names no files/],
    [["write:../x"], /names no files/],
    [["write:docs//x"], /names no files/],
    [["read:docs/**"], /no patterns for read/],
    [["recall:x"], /no patterns for recall/],
    [["__proto__:x"], /there is no tool/],
  ])("%j is refused as a pattern", (values, message) => {
    expect(() => allowRules(values, surroundings)).toThrow(message);
  });
});

beforeAll(() => {
  mkdirSync(join(base, "docs"));
  mkdirSync(join(base, "elsewhere"));
  writeFileSync(join(base, "package.json"), "{}");
  symlinkSync(join(base, "elsewhere"), join(base, "docs", "link"));
  symlinkSync(join(base, "nothing"), join(base, "docs", "dangling"));
});
