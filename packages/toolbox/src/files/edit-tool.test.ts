import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Json, JsonObject } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { contents, grounds } from "../../test/grounds.ts";
import { openRoot } from "./confine/root.ts";
import { editTool } from "./edit-tool.ts";

describe("edit", () => {
  const ground = grounds();
  const inRoot = (name: string) => join(ground.root, name);
  const put = (name: string, content: string | Uint8Array) => writeFile(inRoot(name), content);
  const edit = async (file: string, edits: JsonObject[], signal?: AbortSignal, progress?: (update: Json) => void) =>
    call(editTool(await openRoot(ground.root, { access: "project" })), { file, edits }, signal, progress);
  const refusal = (file: string, edits: JsonObject[]): Promise<Error> =>
    edit(file, edits).then(
      () => expect.unreachable(),
      (error: Error) => error,
    );

  it("replaces exact parts of a file and returns the new lines", async () => {
    await put("notes.md", "one\ntwo\nthree\nfour\n");
    const edits = [
      { old: "two\n", new: "2\n2.5\n" },
      { old: "four", new: "4" },
    ];
    expect(await edit("./notes.md", edits)).toEqual({
      file: "notes.md",
      replaced: 2,
      lines: [
        [2, 3],
        [5, 5],
      ],
    });
    expect(await readFile(inRoot("notes.md"), "utf8")).toBe("one\n2\n2.5\nthree\n4\n");
  });

  it("writes nothing unless all edits can be applied, and explains each one that cannot", async () => {
    await put("notes.md", "  one two three\nfour\nfive\nfour\n");
    const before = await contents(ground.root);
    const error = await refusal("notes.md", [
      { old: "one", new: "1" },
      { old: "four", new: "4" },
      { old: "three  \nfour\n", new: "" },
      { old: "xyzzy plugh", new: "" },
      { old: "five", new: "five" },
    ]);
    expect(error).toMatchObject({
      name: "EditError",
      code: "edit_failed",
      path: "notes.md",
      failures: [
        { edit: 2, reason: "ambiguous", lines: [2, 4] },
        { edit: 3, reason: "not_found", lines: [1] },
        { edit: 4, reason: "not_found", lines: [] },
        { edit: 5, reason: "no_change", lines: [3] },
      ],
    });
    expect(error.message).toBe(`Nothing was written: 4 of 5 edits cannot be applied to "notes.md".
Edit 2: "old" occurs 2 times, on lines 2, 4. Give more of the text around the one you mean, or set "all": true.
Edit 3: "old" was not found. Nearest is line 1, which differs only in white space:
    1 two three
  four
Edit 4: "old" was not found, nor anything like it. Read the file to see what is there.
Edit 5: "old" and "new" are the same.`);
    expect(await contents(ground.root)).toEqual(before);
  });

  it("keeps CRLF when the model writes LF", async () => {
    await put("dos.txt", "one\r\ntwo\r\nthree\r\n");
    await edit("dos.txt", [{ old: "one\ntwo", new: "1\n1.5\n2" }]);
    expect(await readFile(inRoot("dos.txt"), "utf8")).toBe("1\r\n1.5\r\n2\r\nthree\r\n");
  });

  it("finds a text of several lines in a file with mixed line ends, and keeps those of the place", async () => {
    await put("mixed.txt", "one\r\ntwo\nthree\n");
    await edit("mixed.txt", [{ old: "one\ntwo", new: "1\n2" }]);
    expect(await readFile(inRoot("mixed.txt"), "utf8")).toBe("1\r\n2\nthree\n");
  });

  it("keeps the mode of the file and leaves no temporary file", async () => {
    await chmod(inRoot("config.json"), 0o640);
    const before = await readdir(ground.root);
    await edit("inside-file", [{ old: "old.com", new: "new.com" }]);
    await refusal("config.json", [{ old: "old.com", new: "new.com" }]);
    expect((await stat(inRoot("config.json"))).mode & 0o777).toBe(0o640);
    expect(await readdir(ground.root)).toEqual(before);
  });

  it.each<[what: string, edits: JsonObject[]]>([
    ["no edit", []],
    ["an empty old text", [{ old: "", new: "x" }]],
    ["more than 50", Array.from({ length: 51 }, () => ({ old: "a", new: "b" }))],
  ])("rejects a call with %s", async (_, edits) => {
    await expect(edit("config.json", edits)).rejects.toThrow("edits");
  });

  it("refuses files that are too large or not text", async () => {
    await put("binary", Uint8Array.of(0, 1));
    await put("large.txt", "x".repeat(1024 * 1024 + 1));
    const edits = [{ old: "x", new: "y" }];
    await expect(edit("binary", edits)).rejects.toMatchObject({ code: "not_text" });
    await expect(edit("large.txt", edits)).rejects.toMatchObject({ code: "too_large" });
    await expect(edit("confg.json", edits)).rejects.toThrow('Did you mean "config.json"?');
    await expect(edit("src", edits)).rejects.toMatchObject({ code: "not_a_file" });
    await expect(edit("pipe", edits)).rejects.toMatchObject({ code: "not_a_file" });
  });

  it("refuses edits that multiply a text beyond 4 Mi characters", async () => {
    await put("small.txt", "a");
    const edits = Array.from({ length: 10 }, () => ({ old: "a", new: "a".repeat(10), all: true }));
    const refused = { name: "ToolboxError", code: "too_large", path: "small.txt" };
    await expect(edit("small.txt", edits)).rejects.toMatchObject(refused);
    expect(await readFile(inRoot("small.txt"), "utf8")).toBe("a");
  });

  it.each([
    ["old", { old: "\ud83d", new: "x" }],
    ["new", { old: "b", new: "\ude00" }],
  ])("refuses half a character as %s, so that it splits no character of the file", async (key, edits) => {
    await put("fish.txt", "a🐟b");
    await expect(edit("fish.txt", [edits])).rejects.toThrow(`${key}: holds half a character`);
    expect(await readFile(inRoot("fish.txt"), "utf8")).toBe("a🐟b");
  });

  it("writes nothing once its signal has aborted", async () => {
    const before = await contents(ground.root);
    const editing = edit("config.json", [{ old: "old", new: "new" }], AbortSignal.abort());
    await expect(editing).rejects.toMatchObject({ name: "AbortError" });
    expect(await contents(ground.root)).toEqual(before);
  });

  it("reports a diff as progress", async () => {
    const updates: Json[] = [];
    await put("notes.md", "one\ntwo\n");
    await edit("notes.md", [{ old: "two", new: "2" }], undefined, (update) => updates.push(update));
    expect(updates).toEqual([
      { file: "notes.md", diff: "--- notes.md\n+++ notes.md\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n" },
    ]);
  });
});
