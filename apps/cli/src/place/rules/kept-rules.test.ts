import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { addRule, keptRules, userRuleFile } from "./kept-rules.ts";
import type { RuleFile } from "./rule-file.ts";

const surroundings = { base: "/project", isolated: false, hosts: [] };

beforeEach(() => {
  const home = mkdtempSync(join(tmpdir(), "cogency-rules-"));
  vi.stubEnv("XDG_CONFIG_HOME", home);
  mkdirSync(join(home, "cogency"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  });
});

function rulesWith(user: object, project?: RuleFile) {
  writeFileSync(userRuleFile(), JSON.stringify(user));
  const told: string[] = [];
  const kept = keptRules({ rules: "/project/.cogency/rules.json", readRules: () => project }, surroundings, (text) =>
    told.push(text),
  );
  return { kept, rules: kept.now(), told };
}

describe("the rules that are kept", () => {
  it("are the user's, everywhere and for the folder, and the project's", () => {
    const folders = { "/project": { allow: ["shell:npm test"] }, "/other": { allow: ["shell:make"] } };
    const { rules, told } = rulesWith(
      { deny: ["shell:git push"], folders },
      { allow: ["write:docs/**"], ask: ["edit"] },
    );
    expect(rules).toEqual({ allow: ["shell:npm test", "write:docs/**"], ask: ["edit"], deny: ["shell:git push"] });
    expect(told).toEqual([]);
  });

  it("say which rule of which file can never match, and why", () => {
    const file = userRuleFile();
    const { rules, told } = rulesWith(
      {
        allow: ["wirte", "shell:git push --force", "shell:npm *", "edit:docs/a.md"],
        deny: ["shell:git push **", "deploy"],
      },
      { allow: ["edit", "shell:ls"], deny: ["edit:docs/**"] },
    );
    expect(rules.allow).toEqual(["edit", "shell:ls"]);
    expect(rules.deny).toEqual(["shell:git push **", "edit:docs/**"]);
    const starts = [
      `The rule "deploy" of ${file} never matches: there is no tool "deplo`,
      `The rule "wirte" of ${file} never matches: there is no tool "wirte`,
      `The rule "shell:git push --force" of ${file} never matches: "shell:git push **" of `,
      `The rule "shell:npm *" of ${file} never matches: The rule "npm *" cannot`,
      `The rule "edit:docs/a.md" of ${file} never matches: "edit:docs/**" of /proj`,
    ];
    expect(told.map((text, index) => text.slice(0, starts[index]?.length))).toEqual(starts);
  });

  it.each([
    [{ allow: "write" }, "allow has to be a list of texts"],
    [{ alow: ["write"] }, "there is no key alow. Did you mean allow?"],
    [
      { folders: { "/project": { denny: [] } } },
      'there is no key folders["/project"].denny. Did you mean folders["/project"].deny?',
    ],
    [{ deny: ["shell:'git push'"] }, "deny \"shell:'git push'\": "],
  ])("are refused with their file and what is wrong: %j", (user, problem) => {
    expect(() => rulesWith(user)).toThrow(`${userRuleFile()}: ${problem}`);
  });

  it("take the rules of many writers at once, readable by their owner only", async () => {
    writeFileSync(userRuleFile(), JSON.stringify({ deny: ["shell:git push"] }));
    const rules = Array.from({ length: 12 }, (_, index) => `write:a${index}.txt`);
    await Promise.all([...rules, "write:a0.txt"].map((rule) => addRule(userRuleFile(), "/project", rule)));
    const { deny, folders } = JSON.parse(readFileSync(userRuleFile(), "utf8")) as RuleFile;
    expect(deny).toEqual(["shell:git push"]);
    expect(folders?.["/project"]?.allow?.toSorted()).toEqual(rules.toSorted());
    if (process.platform !== "win32") expect(statSync(userRuleFile()).mode & 0o777).toBe(0o600);
  });

  it("count at once when another process keeps one, and are read only when their file has changed", async () => {
    const { kept } = rulesWith({ allow: ["shell:ls"] }, { ask: ["edit"] });
    const before = kept.now();
    expect(kept.now()).toBe(before);
    await addRule(userRuleFile(), "/project", "shell:git status");
    await addRule(userRuleFile(), "/other", "shell:make");
    expect(kept.now()).toEqual({ allow: ["shell:ls", "shell:git status"], ask: ["edit"], deny: [] });
    expect(kept.now()).toBe(kept.now());
    writeFileSync(userRuleFile(), JSON.stringify({ deny: ["shell:git status"] }));
    expect(kept.now()).toEqual({ allow: [], ask: ["edit"], deny: ["shell:git status"] });
    rmSync(userRuleFile());
    expect(kept.now()).toEqual({ allow: [], ask: ["edit"], deny: [] });
  });

  it.each(["{", '{"alow": []}', '{"deny": ["shell:\'x\'"]}'])(
    "stay what they were while their file is broken (%s), which is told once",
    (broken) => {
      const { kept, told } = rulesWith({ deny: ["shell:git push"] });
      writeFileSync(userRuleFile(), broken);
      for (let call = 0; call < 3; call++) expect(kept.now().deny).toEqual(["shell:git push"]);
      expect(told).toEqual([expect.stringMatching(/rules\.json.*Until that is mended, the rules .* before count\.$/s)]);
      writeFileSync(userRuleFile(), JSON.stringify({ deny: ["shell:git pull"] }));
      expect(kept.now().deny).toEqual(["shell:git pull"]);
    },
  );
});
