import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createExecutor, createRegistry } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { call } from "../../../test/call.ts";
import { grounds } from "../../../test/grounds.ts";
import { editTool } from "../edit-tool.ts";
import { listTool } from "../list-tool.ts";
import { readTool } from "../read-tool.ts";
import { writeTool } from "../write-tool.ts";
import { openRoot } from "./root.ts";
import { escapedName, twinName } from "./twin-name.ts";

const twins: [what: string, asked: string, there: string][] = [
  ["a narrow space", "Screenshot 9.41.07 AM.txt", "Screenshot 9.41.07\u202fAM.txt"],
  ["a space that does not break", "a b.txt", "a\u00a0b.txt"],
  ["an ideographic space", "a b.txt", "a\u3000b.txt"],
  ["a curly apostrophe", "it's.txt", "it\u2019s.txt"],
  ["curly quotes", '"a".txt', "\u201ca\u201d.txt"],
  ["a long dash", "a - b.txt", "a \u2013 b.txt"],
  ["letters apart from their accents", "r\u00e9sum\u00e9.txt", "re\u0301sume\u0301.txt"],
  ["letters with their accents", "re\u0301sume\u0301.txt", "r\u00e9sum\u00e9.txt"],
  ["a mark that nobody sees", "ab.txt", "a\u200bb.txt"],
];

describe("a name that differs only in what nobody sees", () => {
  const ground = grounds();
  const at = (...names: string[]) => join(ground.root, ...names);
  const root = () => openRoot(ground.root, { access: "project" });

  it.each(twins)("is opened if it is the only one: %s", async (_, asked, there) => {
    expect(twinName(asked, ["other", there])).toBe(there);
    await mkdir(at(`in ${there}`));
    for (const file of [there, join(`in ${there}`, there)]) await writeFile(at(file), "text");
    const [read, list, edit] = [readTool(await root()), listTool(await root()), editTool(await root())];
    expect(await call(read, { file: asked })).toBe("text");
    expect(await call(read, { file: `in ${asked}/${asked}` })).toBe("text");
    expect(await call(list, { path: `in ${asked}` })).toMatchObject({ path: `in ${there}`, entries: [there] });
    expect(await read.resource?.({ file: asked })).toContain(`file:${at(there)}`);
    const executor = createExecutor({ registry: createRegistry([edit]), approval: { policy: () => "allow" } });
    const edits = [{ old: "text", new: "changed" }];
    const calls = [{ name: "edit", args: { file: `in ${asked}/${asked}`, edits } }];
    expect(await executor.run(calls, { conversation: "c" })).toMatchObject([{ outcome: "success" }]);
    expect(await readFile(at(`in ${there}`, there), "utf8")).toBe("changed");
  });

  it("is not opened if there are two, and the error shows them escaped", async () => {
    for (const name of ["a\u202fb.txt", "a\u00a0b.txt"]) await writeFile(at(name), "");
    const reading = call(readTool(await root()), { file: "a b.txt" });
    await expect(reading).rejects.toMatchObject({ code: "not_found" });
    await expect(reading).rejects.toThrow(/"a\\u00a0b\.txt" or "a\\u202fb\.txt"\? \\u stands for/);
  });

  it("is another file for a write, which makes the one that was named", async () => {
    await writeFile(at("a\u202fb.txt"), "old");
    await call(writeTool(await root()), { file: "a b.txt", content: "new", overwrite: true });
    expect(await readFile(at("a\u202fb.txt"), "utf8")).toBe("old");
    expect(await readFile(at("a b.txt"), "utf8")).toBe("new");
  });

  it("is the exact one where that exists", async () => {
    for (const [name, text] of [
      ["a b.txt", "plain"],
      ["a\u202fb.txt", "narrow"],
    ] as const)
      await writeFile(at(name), text);
    expect(await call(readTool(await root()), { file: "a b.txt" })).toBe("plain");
    expect(await call(readTool(await root()), { file: "a\u202fb.txt" })).toBe("narrow");
  });

  it.each([
    ["plain-name_1.txt", "plain-name_1.txt"],
    ["grüße 日本 😀.txt", "grüße 日本 😀.txt"],
    ["a\u202fb\u2013c\u2019.txt", "a\\u202fb\\u2013c\\u2019.txt"],
    ["re\u0301.txt", "re\\u0301.txt"],
    ["a\nb\u202e", "a\\u000ab\\u202e"],
  ])("is shown with escapes: %j", (name, shown) => {
    expect(escapedName(name)).toBe(shown);
  });
});
