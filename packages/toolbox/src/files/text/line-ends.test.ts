import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call } from "../../../test/call.ts";
import { grounds } from "../../../test/grounds.ts";
import { openRoot } from "../confine/root.ts";
import { editTool } from "../edit-tool.ts";
import { findTool } from "../find-tool.ts";
import { replaceTool } from "../replace-tool.ts";
import { lineEndsOf, unifiedText } from "./line-ends.ts";

describe("line ends", () => {
  const ground = grounds();
  const root = () => openRoot(ground.root, { access: "project" });
  const put = (text: string) => writeFile(join(ground.root, "t.txt"), text);
  const now = () => readFile(join(ground.root, "t.txt"), "utf8");

  it.each<[what: string, text: string, old: string, written: string, expected: string]>([
    ["a new line in CRLF", "int x;\r\n", "int ", "int\n  ", "int\r\n  x;\r\n"],
    ["a new line in CR", "int x;\rint y;\r", "int x", "int\n  x", "int\r  x;\rint y;\r"],
    ["a new line in LF", "int x;\n", "int ", "int\n  ", "int\n  x;\n"],
    ["a new line in a text without any", "int x;", "int ", "int\n  ", "int\n  x;"],
    ["lines in CRLF", "int x;\r\n}\r\n", "int x;\n}", "int y;\n}", "int y;\r\n}\r\n"],
    ["lines in CR", "int x;\r}\r", "int x;\n}", "int y;\n}", "int y;\r}\r"],
    ["lines in a mixed text, where they end in CRLF", "a\nx;\r\n}\r\nb\n", "x;\n}", "y;\n}", "a\ny;\r\n}\r\nb\n"],
    ["lines in a mixed text, where they end in both", "a\r\nb\nc\r\n", "a\nb\nc", "1\n2\n3", "1\r\n2\r\n3\r\n"],
    ["CRLF as it was read", "a\r\nb\r\n", "a\r\nb", "x\r\ny", "x\r\ny\r\n"],
    ["CRLF as it was read, by LF", "a\r\nb\r\n", "a\r\nb", "x\ny", "x\r\ny\r\n"],
    ["CRLF that the model made up, in LF", "a\nb\n", "a\r\nb", "x\nb", "x\nb\n"],
    ["a line end at the end, with its CR", "a\r\nb\r\n", "a\n", "", "b\r\n"],
    ["line ends of several lines by a space", "a\r\nb\r\n", "a\nb\n", "a b", "a b"],
    ["CR alone in a line, by name", "50%\r100%\n", "50%\r", "", "100%\n"],
  ])("edit and replace change %s", async (_, text, old, written, expected) => {
    await put(text);
    await call(editTool(await root()), { file: "t.txt", edits: [{ old, new: written }] });
    expect(await now(), "edit").toBe(expected);
    await put(text);
    await call(replaceTool(await root()), { find: old, with: written, pattern: "t.txt" });
    expect(await now(), "replace").toBe(expected);
  });

  it.each<[what: string, text: string, args: JsonObject, expected: string]>([
    ["to LF", "a\r\nb\r\n", { find: "\r\n", with: "\n" }, "a\nb\n"],
    ["to CRLF", "a\nb\n", { find: "\n", with: "\r\n" }, "a\r\nb\r\n"],
    ["to CRLF where they are already", "a\r\nb\n", { find: "\n", with: "\r\n" }, "a\r\nb\r\n"],
    ["by an expression", "a\r\nb\r\n", { find: "\\r\\n", with: "\n", regex: true }, "a\nb\n"],
    ["by an expression with $", "a\r\nb\r\n", { find: "\\r$", with: "", regex: true }, "a\nb\n"],
    ["of a CR file", "a\rb\r", { find: "\r", with: "\n" }, "a\nb\n"],
  ])("are converted %s, where a call is about them", async (_, text, args, expected) => {
    await put(text);
    await call(replaceTool(await root()), { ...args, pattern: "t.txt" });
    expect(await now()).toBe(expected);
  });

  it.each<[what: string, text: string, args: JsonObject, expected: string]>([
    ["$ before CRLF", "x;\r\ny;\r\n", { find: ";$", with: ",", regex: true }, "x,\r\ny,\r\n"],
    ["$ before CR", "x;\ry;\r", { find: ";$", with: ",", regex: true }, "x,\ry,\r"],
    ["^ after CR", "a\rb\r", { find: "^b", with: "c", regex: true }, "a\rc\r"],
    [".* without CR", "ab\r\n", { find: "a.*", with: "<$&>", regex: true }, "<ab>\r\n"],
    ["\\n", "a\r\nb\r\n", { find: "a\\nb", with: "c", regex: true }, "c\r\n"],
    ["groups with their line ends", "a\r\nb\r\n", { find: "(a\\n)(b)", with: "$2\n$1", regex: true }, "b\r\na\r\n\r\n"],
    ["letter case", "A\r\nB\r\n", { find: "a\nb", with: "c\nd", ignoreCase: true }, "c\r\nd\r\n"],
    ["an empty match at each line end", "a\r\nb\r\n", { find: "$", with: ";", regex: true }, "a;\r\nb;\r\n;"],
  ])("are seen by an expression: %s", async (_, text, args, expected) => {
    await put(text);
    await call(replaceTool(await root()), { ...args, pattern: "t.txt" });
    expect(await now()).toBe(expected);
  });

  it.each<[content: string, regex: boolean, lines: number[]]>([
    ["x;$", true, [2]],
    ["^y", true, [3]],
    ["x;\ny", false, [2]],
    ["x;\\ny", true, [2]],
  ])("are seen by find: %j", async (content, regex, lines) => {
    await put("a\r\nx;\r\ny\r\n");
    const found = await call(findTool(await root()), { content, regex, pattern: "t.txt" });
    expect((found as { matches: { line: number }[] }).matches.map(({ line }) => line)).toEqual(lines);
  });

  it("lead back from each offset of the unified text", () => {
    const piece = fc.constantFrom("a", "b", "\r", "\n", "\r\n");
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join("");
        const { text: unified, original, unified: back } = unifiedText(text);
        for (let offset = 0; offset <= unified.length; offset += 1) {
          expect(back(original(offset))).toBe(offset);
          expect(unifiedText(text.slice(0, original(offset))).text).toBe(unified.slice(0, offset));
        }
        for (let offset = 0; offset < text.length; offset += 1) {
          const isBetween = text[offset - 1] === "\r" && text[offset] === "\n";
          expect(original(back(offset))).toBe(offset + (isBetween ? 1 : 0));
        }
      }),
    );
  });

  it("stay as they are written where the file has none, and where the text has CR itself", () => {
    expect(lineEndsOf("abc")({ start: 0, end: 1 })("x\ny")).toBe("x\ny");
    expect(lineEndsOf("a\r\n")({ start: 0, end: 1 })("x\r\ny\nz")).toBe("x\r\ny\r\nz");
    expect(lineEndsOf("a\r\nb\n")({ start: 0, end: 1 })("x\ny")).toBe("x\ny");
  });
});
