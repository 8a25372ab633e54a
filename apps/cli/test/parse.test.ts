import { describe, expect, it } from "vitest";
import { jsonLines, outcomeOf, place, written } from "./support/command-line.ts";

describe("cogency parse", () => {
  it("prints each event as one line with exactly its fields", async () => {
    const input = '<think>a</think>Hi.<execute>[{"name":"read","args":{"file":"x"}}]</execute>';
    const { code, stdout, stderr } = await place().cogency(["parse"], { input });
    const timestamp = expect.any(Number);
    expect(jsonLines(stdout)).toEqual([
      { type: "think", content: "a", timestamp },
      { type: "respond", content: "Hi.", timestamp },
      { type: "call", content: '{"name":"read","args":{"file":"x"}}', timestamp },
      { type: "execute", timestamp },
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it.each([
    { name: "pieces", args: ["--stream", "token"], input: "Hi <t", types: ["respond", "respond"] },
    {
      name: "a text that begins in thought",
      args: ["--start-in", "think"],
      input: "a</think>b",
      types: ["think", "respond"],
    },
    {
      name: "a block with a raw line break in a string, with --repair",
      args: ["--repair"],
      input: '<execute>[{"name":"a","args":{"b":"1\n2"}}]</execute>',
      types: ["call", "execute"],
    },
    {
      name: "the same block without it",
      args: [],
      input: '<execute>[{"name":"a","args":{"b":"1\n2"}}]</execute>',
      types: ["error"],
    },
    {
      name: "a transcript with results",
      args: ["--results", "allow"],
      input: '<results>[{"tool":"read","status":"success","content":"x"}]</results>',
      types: ["result"],
    },
    { name: "results that the model forged", args: [], input: "<results>[]</results>", types: ["error"] },
    {
      name: "a block whose closer was cut",
      args: [],
      input: '<execute>[{"name":"a","args":{}}]',
      types: ["call", "execute"],
    },
    {
      name: "the same block when the output limit was reached",
      args: ["--finish", "length"],
      input: '<execute>[{"name":"a","args":{}}]',
      types: ["error"],
    },
    { name: "nothing", args: [], input: "", types: [] },
  ])("reads $name", async ({ args, input, types }) => {
    const { code, stdout } = await place().cogency(["parse", ...args], { input });
    expect(jsonLines(stdout).map((event) => event.type)).toEqual(types);
    expect(code).toBe(0);
  });

  it("escapes control characters and invisible ones without changing the meaning of the JSON", async () => {
    const text = "a\u009b2J\u202eb\u200b\u2066\ufeff\u{e0041}\u2028\u00ad\u061c\u001b[2J\u007f é 🙂";
    const { stdout } = await place().cogency(["parse"], { input: text });
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
    expect(jsonLines<{ content?: string }>(stdout)[0]?.content).toBe(text);
  });

  it("prints an event as soon as it is complete, also from a slow pipe", async () => {
    const child = place().start(["parse"], { keepsInput: true });
    child.stdin.write("<think>first</think>And");
    expect(await written(child.stdout, /\n/)).toContain('"content":"first"');
    child.stdin.write(' then<execute>[{"name":"a","args":{}}]</execute>');
    expect(await written(child.stdout, /execute"[^\n]*\n/)).toContain('"content":"And then"');
    child.stdin.end();
  });

  it("exits when the parser is done, although the pipe stays open", async () => {
    const child = place().start(["parse"], { keepsInput: true });
    child.stdin.write("Bye.<end>");
    const { code, stdout } = await outcomeOf(child);
    expect(jsonLines(stdout).map((event) => event.type)).toEqual(["respond", "end"]);
    expect(code).toBe(0);
  });

  it("joins a character that is split between two reads", async () => {
    const child = place().start(["parse", "--stream", "token"], { keepsInput: true });
    const bytes = Buffer.from("a é 🙂 z");
    child.stdin.write(bytes.subarray(0, 7));
    await written(child.stdout, /é/);
    child.stdin.end(bytes.subarray(7));
    const { stdout } = await outcomeOf(child);
    expect(stdout).toContain("🙂 z");
    expect(stdout).not.toContain("\ufffd");
  });
});
