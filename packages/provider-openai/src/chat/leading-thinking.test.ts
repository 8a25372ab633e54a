import { describe, expect, it } from "vitest";
import { beginThinking, endThinking, readContent, type ThinkBlock } from "./leading-thinking.ts";

describe("readContent", () => {
  const contents: [what: string, block: ThinkBlock, content: string, reasoning: string, text: string][] = [
    ["a leading block", "leading", "<think>Hm.</think>Hello", "Hm.", "Hello"],
    ["white space around a block", "leading", "\n <think>\nHm.\n</think>\n\nHello\n", "\nHm.\n", "Hello\n"],
    ["an empty block", "leading", "<think>\n\n</think>\n\n{}", "\n\n", "{}"],
    ["a block without an end", "leading", "<think>Hm. </thi", "Hm. </thi", ""],
    ["another tag inside of a block", "leading", "<think>a <b></ </think </think>c", "a <b></ </think ", "c"],
    ["a later block, which is text", "leading", "Write <think>x</think>.", "", "Write <think>x</think>."],
    ["a second block, which is text", "leading", "<think>a</think>b<think>c</think>", "a", "b<think>c</think>"],
    ["half a tag, which is text", "leading", "<thin", "", "<thin"],
    ["another tag, which is text", "leading", "<table><tr>", "", "<table><tr>"],
    ["white space alone", "leading", " \n ", "", " \n "],
    ["Gemini's tag", "leading", "<thought>Hm.</thought>Hello", "Hm.", "Hello"],
    ["a longer tag", "leading", "<thinking>Hm.</think></thinking>Hello", "Hm.</think>", "Hello"],
    ["Magistral's tag", "leading", "[THINK]Hm.[/THINK]Hello", "Hm.", "Hello"],
    ["a JSON list", "leading", "[1, 2]", "", "[1, 2]"],
    ["a block that the template has begun", "begun", "Hm.</think>\nHello", "Hm.", "Hello"],
    ["no end of a block that the template has begun", "begun", "Hm.", "Hm.", ""],
    ["a block where the option is off", "none", "<think>Hm.</think>Hello", "", "<think>Hm.</think>Hello"],
  ];

  it.each(contents)("reads %s, cut anywhere", (_what, block, content, reasoning, text) => {
    for (let size = 1; size <= content.length; size++) {
      let state = beginThinking(block);
      const all = { reasoning: "", text: "" };
      for (let at = 0; at < content.length; at += size) {
        const [next, read] = readContent(state, content.slice(at, at + size));
        state = next;
        all.reasoning += read.reasoning;
        all.text += read.text;
      }
      const rest = endThinking(state);
      expect([all.reasoning + rest.reasoning, all.text + rest.text], `pieces of ${size}`).toEqual([reasoning, text]);
    }
  });

  it("holds back no more than a thousand characters of white space", () => {
    const [, read] = readContent(beginThinking("leading"), " ".repeat(2000));
    expect(read.text).toHaveLength(2000);
  });
});
