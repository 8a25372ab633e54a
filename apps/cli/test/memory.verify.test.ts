import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Memory } from "@cogency/memory";
import { expect, it } from "vitest";
import { fixtures, jsonLines, place } from "./support/command-line.ts";

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
