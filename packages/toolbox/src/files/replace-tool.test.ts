import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Json, JsonObject } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { contents, grounds } from "../../test/grounds.ts";
import { openRoot } from "./confine/root.ts";
import { replaceTool } from "./replace-tool.ts";

describe("replace", () => {
  const ground = grounds();
  const replace = async (args: JsonObject, signal?: AbortSignal, progress?: (update: Json) => void) =>
    call(replaceTool(await openRoot(ground.root, { access: "project" })), args, signal, progress);
  const text = (name: string) => readFile(join(ground.root, name), "utf8");
  const put = async (name: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(ground.root, name)), { recursive: true });
    await writeFile(join(ground.root, name), content);
  };

  it("replaces a text in all files and counts the replacements in each", async () => {
    expect(await replace({ find: "part", with: "piece" })).toEqual({
      files: [
        { file: "src/deep/part.ts", replacements: 1 },
        { file: "src/main.ts", replacements: 1 },
      ],
      total: 2,
    });
    expect(await text("src/deep/part.ts")).toBe("export const piece = 1;\n");
    expect(await text("src/main.ts")).toBe('import "./deep/piece.ts";\n');
  });

  it("replaces only in files that match the pattern, below path", async () => {
    expect(await replace({ find: "part", with: "piece", path: "src", pattern: "deep/*.ts" })).toMatchObject({
      files: [{ file: "src/deep/part.ts" }],
    });
    expect(await text("src/main.ts")).toContain("part");
  });

  it("uses find and with literally, or with regex as an expression and its groups", async () => {
    await put("regex.txt", "a.*b $1 axxb");
    await replace({ find: "a.*b", with: "$1", pattern: "regex.txt" });
    expect(await text("regex.txt")).toBe("$1 $1 axxb");
    await replace({
      find: "A(?<middle>x+)(b)",
      with: "$2$<middle>",
      regex: true,
      ignoreCase: true,
      pattern: "regex.txt",
    });
    expect(await text("regex.txt")).toBe("$1 $1 bxx");
  });

  it("reports what it would do in a dry run, and writes nothing", async () => {
    const before = await contents(ground.root);
    const updates: Json[] = [];
    const result = await replace({ find: "part", with: "piece", dryRun: true }, undefined, (update) =>
      updates.push(update),
    );
    expect(result).toMatchObject({ total: 2, dryRun: true });
    expect(updates).toHaveLength(2);
    expect(await contents(ground.root)).toEqual(before);
  });

  it("reports a diff of each file as progress", async () => {
    const updates: Json[] = [];
    await replace({ find: "= 1", with: "= 2" }, undefined, (update) => updates.push(update));
    expect(updates).toEqual([{ file: "src/deep/part.ts", diff: expect.stringContaining("+export const part = 2;") }]);
  });

  it("says what it searched when there is nothing to replace", async () => {
    await put("binary", Uint8Array.of(0));
    await expect(replace({ find: "nowhere", with: "x" })).rejects.toMatchObject({
      code: "no_match",
      message: expect.stringMatching(/"nowhere" .* in 3 files in "\."\. Not searched: 1 binary\. .*"ignored": true/),
    });
    await expect(replace({ find: "part", with: "part" })).rejects.toThrow("is the same text");
    await expect(replace({ find: "part", with: "x", pattern: "*.md" })).rejects.toThrow(
      '0 files in "." that match "*.md"',
    );
  });

  it("does not change what git ignores unless ignored is true, and never .git and node_modules", async () => {
    await put(".gitignore", "dist/\n");
    for (const name of ["dist/a.js", "node_modules/a.js", ".git/a.js", "a.js"]) await put(name, "needle");
    expect(await replace({ find: "needle", with: "x" })).toMatchObject({ files: [{ file: "a.js" }] });
    expect(await replace({ find: "needle", with: "x", ignored: true })).toMatchObject({
      files: [{ file: "dist/a.js" }],
    });
    await expect(replace({ find: "needle", with: "x", ignored: true })).rejects.toMatchObject({ code: "no_match" });
  });

  it("follows no link", async () => {
    await expect(replace({ find: "SECRET", with: "x" })).rejects.toMatchObject({ code: "no_match" });
    expect(await readFile(join(ground.outside, "secret.txt"), "utf8")).toBe("SECRET");
  });

  it("changes nothing when a file would grow too large, or an expression is not understood", async () => {
    const before = await contents(ground.root);
    await expect(replace({ find: "a", with: "x".repeat(4 * 1024 * 1024) })).rejects.toMatchObject({
      code: "too_large",
    });
    await expect(replace({ find: "(", with: "x", regex: true })).rejects.toMatchObject({ code: "expression_invalid" });
    await expect(replace({ find: "a", with: "$1", regex: true })).rejects.toMatchObject({ code: "expression_invalid" });
    expect(await contents(ground.root)).toEqual(before);
  });

  it("stops when its signal aborts", async () => {
    await expect(replace({ find: "part", with: "x" }, AbortSignal.abort())).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(await text("src/main.ts")).toContain("part");
  });
});
