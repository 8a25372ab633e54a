import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Memory } from "@cogency/memory";
import { expect, it, vi } from "vitest";
import { calling, fixtures, jsonLines, type Place, place, resultsOf } from "./support/command-line.ts";
import { openedPage } from "./support/open-page.ts";
import { hasPseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";

const model = ["--provider", join(fixtures, "remembering.ts")];

it("a run learns after ten messages, shows what is about a project there alone, and no export or page has the profile", async () => {
  const { cogency, folder } = place();
  await cogency(["memory", "remember", "Never touch the rhubarb."]);
  for (let at = 1; at <= 10; at++)
    await cogency(["run", `I like word${at}.`, "--memory", "on", "--conversation", `c${at}`, ...model]);
  const memories = jsonLines<Memory>((await cogency(["memory", "show", "--json"])).stdout);
  expect(memories.map(({ words }) => words)).toContain("I like word1.");
  expect(memories).toHaveLength(11);
  const other = join(folder, "other");
  mkdirSync(other);
  const asked = (root: string) =>
    cogency(["run", "go", "--memory", "on", "--root", root, "--conversation", `in ${root}`, ...model]);
  expect((await asked(folder)).stdout).toMatch(/rhubarb.*word1\b/);
  const there = (await asked(other)).stdout;
  expect(there).toContain("rhubarb");
  expect(there).not.toContain("word1");
  // The answers of this model repeat its prompt, so these conversations hold the words.
  for (const root of [folder, other]) await cogency(["history", "delete", `in ${root}`, "--yes"]);
  for (let at = 1; at <= 10; at++) await cogency(["history", "delete", `c${at}`, "--yes"]);
  await cogency([
    "run",
    "go",
    "--memory",
    "on",
    "--conversation",
    "quiet",
    "--provider",
    join(fixtures, "models.ts"),
    "--model",
    "echo",
  ]);
  await cogency(["history", "export", "--raw", "--output", join(folder, "all.jsonl")]);
  await cogency(["trace", "quiet", "--html", join(folder, "page.html")]);
  const exported = `${readFileSync(join(folder, "all.jsonl"), "utf8")}${readFileSync(join(folder, "page.html"), "utf8")}`;
  expect(exported).toContain("Left out: the memories");
  expect(exported).not.toMatch(/rhubarb|word\d/);
});

async function wordsOf({ cogency }: Place): Promise<string[]> {
  return jsonLines<Memory>((await cogency(["memory", "show", "--json"])).stdout).map(({ words }) => words);
}

it("cogency open learns from what is written on its page", async () => {
  const own = place();
  const { child, outcome, ask } = await openedPage(own.start, [...model, "--memory", "on"]);
  for (let at = 0; at < 10; at++) {
    const prompt = { id: `${at}`, kind: "prompt", content: `I like word${at}.` };
    expect((await ask(`/c${at}/messages`, prompt)).status).toBe(202);
  }
  await vi.waitFor(async () => expect(await wordsOf(own)).toHaveLength(10), { timeout: 90_000, interval: 1000 });
  child.kill("SIGINT");
  const { code, stderr } = await outcome;
  expect(code).toBe(130);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain("Read 10 messages of yours");
});

it("memory gives the model no conversation of another folder: recall finds those of this one", async () => {
  const own = place();
  const { cogency, folder } = own;
  for (const name of ["one", "two"]) mkdirSync(join(folder, name));
  await cogency(["memory", "remember", "The cellar key is mine."]);
  const on = ["--memory", "on", "--json"];
  await cogency(["run", "the cellar key", "--root", "one", ...on, ...calling([])]);
  const found = async (root: string) => {
    const recall = calling([{ name: "recall", args: { query: "cellar" } }]);
    const { stdout } = await cogency(["run", "go", "--root", root, ...on, ...recall]);
    const [result] = resultsOf(stdout) as unknown as [{ content: { found: unknown[] } }];
    return result.content.found.length;
  };
  expect([await found("two"), await found("one")]).toEqual([0, 1]);
});

it.skipIf(!hasPseudoTerminal)("Ctrl-C in the editor is the editor's, and no copy of the memories stays", async () => {
  const own = place();
  await own.cogency(["memory", "remember", "One."]);
  const TMPDIR = join(own.folder, "tmp");
  mkdirSync(TMPDIR);
  const editor = join(own.folder, "editor.sh");
  writeFileSync(editor, `trap 'echo interrupted; sed -i s/One/Uno/ "$1"; exit 0' INT\necho editing\nread line\n`);
  const terminal = pseudoTerminal(own, ["memory", "edit"], {
    env: { EDITOR: `sh ${editor}`, TMPDIR, COGENCY_STORE: own.store },
  });
  await terminal.shows(/editing/);
  terminal.type("\u0003");
  await terminal.shows(/1 memory kept/);
  expect(await wordsOf(own)).toEqual(["Uno."]);
  expect(readdirSync(TMPDIR)).toEqual([]);
});
