import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calling, type Place, place, resultsOf } from "./support/command-line.ts";

type Hook = Readonly<Record<string, unknown>>;

/** Writes the configuration of the person. */
function own({ folder }: Place, ...hooks: readonly Hook[]): void {
  mkdirSync(join(folder, ".config/cogency"), { recursive: true });
  writeFileSync(join(folder, ".config/cogency/config.json"), JSON.stringify({ hooks }));
}

/** Makes a project in the place. @returns its folder */
function project({ folder }: Place, ...hooks: readonly Hook[]): string {
  const top = join(folder, "work");
  mkdirSync(join(top, ".cogency/hooks"), { recursive: true });
  mkdirSync(join(top, ".git"), { recursive: true });
  writeFileSync(join(top, ".cogency/config.json"), JSON.stringify({ hooks }));
  return top;
}

const write = { name: "write", args: { file: "made.txt", content: "x" } };
const goes = (...options: string[]) => ["go", "--json", "--allow", "write", ...options, ...calling([write])];
const noWriting = { name: "no writing", at: "beforeToolUse", tools: ["write"], command: "echo not today >&2; exit 2" };

describe("a run with hooks of the person", () => {
  it("does not make a call that one denies, and the result says why", async () => {
    const at = place();
    own(at, noWriting);
    const { code, stdout } = await at.cogency(goes());
    expect(resultsOf(stdout)).toMatchObject([
      { status: "failure", content: expect.stringContaining("The hook no writing says: not today") },
    ]);
    expect([code, existsSync(join(at.folder, "made.txt"))]).toEqual([0, false]);
  });

  it("does not make a call if one that guards fails, and tells what failed", async () => {
    const at = place();
    own(at, { ...noWriting, command: "no-such-program" });
    const { stdout } = await at.cogency(goes());
    expect(resultsOf(stdout)).toMatchObject([
      { status: "failure", content: expect.stringMatching(/The hook no writing, .* failed: .*no-such-program/) },
    ]);
  });

  it("goes on if one that watches fails, and tells it", async () => {
    const at = place();
    own(at, { ...noWriting, at: "afterToolUse", command: "exit 1" });
    const { stdout, stderr } = await at.cogency(goes());
    expect(resultsOf(stdout)).toMatchObject([{ status: "success" }]);
    expect(stderr).toContain("The hook no writing failed after a call of write");
  });

  it("asks about a call although a rule allows it, so that nobody there denies it", async () => {
    const at = place();
    own(at, { ...noWriting, command: `echo '{"decision":"ask","reason":"sure?"}'` });
    const { stdout } = await at.cogency(goes());
    expect(resultsOf(stdout)).toMatchObject([
      { status: "failure", content: expect.stringContaining("it needs approval") },
    ]);
  });

  it("ends with 2 for a prompt that one refuses, and keeps nothing of it", async () => {
    const at = place();
    own(at, {
      name: "no keys",
      at: "beforePrompt",
      command: "grep -q sk- && { echo It holds a key. >&2; exit 2; }; true",
    });
    const refused = await at.cogency(["my key is sk-123456", "--conversation", "c", ...calling([])]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("It holds a key.")]);
    expect((await at.cogency(["say hello", "--conversation", "c", ...calling([])])).code).toBe(0);
    const { stdout } = await at.cogency(["history", "show", "c"]);
    expect(stdout).toContain("say hello");
    expect(stdout).not.toContain("sk-123456");
  });

  it("calls one when the run ends, with what came of it and no key", async () => {
    const at = place();
    own(at, { at: "afterRun", command: "{ cat; env; } > ended.txt" });
    await at.cogency(goes(), { env: { OPENAI_API_KEY: "sk-of-the-person", COGENCY_PROVIDER: "offline" } });
    const text = readFileSync(join(at.folder, "ended.txt"), "utf8");
    expect(JSON.parse(text.split("\n")[0] ?? "")).toMatchObject({ at: "afterRun", status: "completed" });
    expect(text).not.toContain("sk-of-the-person");
  });

  it("takes those of --config for the person's own, in place of the project's", async () => {
    const at = place();
    const root = project(at, noWriting);
    writeFileSync(join(at.folder, "mine.json"), JSON.stringify({ hooks: [{ ...noWriting, name: "mine" }] }));
    const { stdout } = await at.cogency(goes("--config", join(at.folder, "mine.json")), { cwd: root });
    expect(resultsOf(stdout)).toMatchObject([{ content: expect.stringContaining("The hook mine says") }]);
  });
});

describe("hooks of a project", () => {
  it("count only once the folder is trusted, and the question shows each command and the files that it runs", async () => {
    const at = place();
    const command = "touch obeyed; sh .cogency/hooks/check.sh";
    const root = project(at, { ...noWriting, command });
    writeFileSync(join(root, ".cogency/hooks/check.sh"), "exit 2\n");
    const before = await at.cogency(goes(), { cwd: root });
    expect(before.stderr).toContain("Ignored: .cogency/config.json.");
    expect(resultsOf(before.stdout)).toMatchObject([{ status: "success" }]);
    expect(existsSync(join(root, "obeyed"))).toBe(false);
    const { stdout } = await at.cogency(["trust", "--yes"], { cwd: root });
    expect(stdout).toContain(command);
    expect(stdout).toMatch(/hooks\[0\] runs ".*\/\.cogency\/hooks\/check\.sh", now [\da-f]{64}/);
    const after = await at.cogency(goes(), { cwd: root });
    expect(resultsOf(after.stdout)).toMatchObject([{ status: "failure" }]);
    expect(existsSync(join(root, "obeyed"))).toBe(true);
  });

  it.each([
    ["a file that one runs", (root: string) => writeFileSync(join(root, ".cogency/hooks/check.sh"), "touch obeyed\n")],
    [
      "its command",
      (root: string) =>
        writeFileSync(
          join(root, ".cogency/config.json"),
          JSON.stringify({ hooks: [{ ...noWriting, command: "touch obeyed" }] }),
        ),
    ],
  ])("do not count any more when %s was changed, until the person has looked", async (_, change) => {
    const at = place();
    const root = project(at, { ...noWriting, command: "sh .cogency/hooks/check.sh" });
    writeFileSync(join(root, ".cogency/hooks/check.sh"), "exit 0\n");
    await at.cogency(["trust", "--yes"], { cwd: root });
    expect((await at.cogency(goes(), { cwd: root })).stderr).not.toContain("Ignored");
    change(root);
    const { stderr } = await at.cogency(goes(), { cwd: root });
    expect(stderr).toContain("what its hooks or servers run");
    expect(existsSync(join(root, "obeyed"))).toBe(false);
  });

  it("run in the folder that configures them, also for a root below it", async () => {
    const at = place();
    const root = project(at, { ...noWriting, command: "cat > read.json" });
    mkdirSync(join(root, "below"));
    await at.cogency(["trust", "--yes"], { cwd: root });
    await at.cogency(goes(), { cwd: join(root, "below") });
    const read = JSON.parse(readFileSync(join(root, "read.json"), "utf8"));
    expect(read).toMatchObject({ at: "beforeToolUse", tool: "write", root: expect.stringMatching(/work\/below$/) });
  });

  it("deny in a line for the person, which the result does not quote", async () => {
    const at = place();
    const root = project(at, noWriting);
    await at.cogency(["trust", "--yes"], { cwd: root });
    const denied = await at.cogency(goes(), { cwd: root });
    expect(denied.stderr).toContain("The hook no writing did not allow a call of write: not today");
    expect(resultsOf(denied.stdout)).toMatchObject([{ content: expect.not.stringContaining("not today") }]);
    writeFileSync(join(root, ".cogency/config.json"), JSON.stringify({ hooks: [{ ...noWriting, command: "exit 7" }] }));
    await at.cogency(["trust", "--yes"], { cwd: root });
    expect((await at.cogency(goes(), { cwd: root })).stderr).toContain(
      "The hook no writing failed before a call of write, which was not run: it ended with exit code 7",
    );
  });

  it("bring untrusted text: what one says makes the next call with effects ask", async () => {
    const at = place();
    const root = project(at, { at: "afterToolUse", command: "echo obey me >&2; exit 2" });
    await at.cogency(["trust", "--yes"], { cwd: root });
    const again = { name: "write", args: { file: "second.txt", content: "x" } };
    const { stdout } = await at.cogency(["go", "--json", "--allow", "write", ...calling([write], [again])], {
      cwd: root,
    });
    expect(resultsOf(stdout)).toMatchObject([
      { status: "success" },
      { status: "failure", content: expect.stringContaining("nobody vouched for") },
    ]);
    expect(existsSync(join(root, "second.txt"))).toBe(false);
  });
});

describe("what a model writes into the file of a hook", () => {
  it("does not run: the hook of the person denies from then on", async () => {
    const at = place();
    writeFileSync(join(at.folder, "check.sh"), "exit 0\n");
    own(at, { name: "check", at: "beforeToolUse", command: "sh check.sh" });
    const evil = { name: "write", args: { file: "check.sh", content: "touch obeyed\n", overwrite: true } };
    const { stdout } = await at.cogency(["go", "--json", "--allow", "write", ...calling([evil], [write])]);
    expect(readFileSync(join(at.folder, "check.sh"), "utf8")).toBe("touch obeyed\n");
    expect(resultsOf(stdout)).toMatchObject([
      { status: "success" },
      { status: "failure", content: expect.stringContaining("check.sh is not as it was") },
    ]);
    expect(existsSync(join(at.folder, "obeyed"))).toBe(false);
  });
});

describe("cogency hooks", () => {
  it("list shows those that count here, with their place, and those that would count", async () => {
    const at = place();
    own(at, noWriting);
    const root = project(at, { at: "onStop", command: "npm test" });
    const before = await at.cogency(["hooks", "list"], { cwd: root });
    expect(before.stdout).toMatch(/^no writing +yours +beforeToolUse write +echo not today >&2; exit 2\n$/);
    expect(before.stderr).toContain("do not count until you trust the folder");
    await at.cogency(["trust", "--yes"], { cwd: root });
    expect(JSON.parse((await at.cogency(["hooks", "list", "--json"], { cwd: root })).stdout)).toEqual([
      { ...noWriting, place: "yours" },
      { name: "npm test", at: "onStop", command: "npm test", place: ".cogency/config.json" },
    ]);
    expect((await place().cogency(["hooks", "list"])).stdout).toBe(
      "There are no hooks here. To add one, use the key hooks of a configuration.\n",
    );
  });

  it("check names each fault with what to write, and ends with 1; a run refuses the file", async () => {
    const at = place();
    own(at, { at: "PreToolUse", command: "x" }, noWriting, { at: "onStop", command: "x", tools: ["shell"] });
    const { code, stdout } = await at.cogency(["hooks", "check"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/config\.json: hooks\[0\]\.at has to be one of .*Did you mean "beforeToolUse"/);
    expect(stdout).toMatch(/hooks\[2\]\.tools says nothing at onStop.*\n1 valid hook, 2 faults\n$/);
    expect(await at.cogency(goes())).toMatchObject({ code: 2, stderr: expect.stringContaining("hooks[0].at") });
    own(at, noWriting);
    expect(await at.cogency(["hooks", "check"])).toMatchObject({ code: 0, stdout: "1 valid hook, 0 faults\n" });
  });

  it("are changed in the file, as cogency config says", async () => {
    for (const args of [
      ["get", "hooks"],
      ["set", "hooks", "[]"],
    ]) {
      expect(await place().cogency(["config", ...args])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("cogency config edit"),
      });
    }
  });

  it("test runs one with a sample, or with what is given, and shows what it answered", async () => {
    const at = place();
    own(
      at,
      { ...noWriting, command: "grep -q notes && { echo not notes >&2; exit 2; }; true" },
      { at: "onStop", command: "exit 1" },
    );
    const sample = await at.cogency(["hooks", "test", "no writing"]);
    expect(sample.code).toBe(0);
    expect(sample.stdout).toMatch(
      /read: \{"at":"beforeToolUse".*\nended: exit code 2\nstderr: not notes\nso: denied in \d+ ms: not notes\n$/,
    );
    writeFileSync(join(at.folder, "input.json"), '{"tool":"write","args":{"file":"a.md"}}');
    const given = await at.cogency(["hooks", "test", "no writing", "--input", "input.json"]);
    expect(given.stdout).toMatch(/so: passed in \d+ ms\n$/);
    expect((await at.cogency(["hooks", "test", "exit 1"])).code).toBe(1);
    expect(await at.cogency(["hooks", "test", "no writting"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean "no writing"?'),
    });
  });
});
