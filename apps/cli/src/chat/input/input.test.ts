import { describe, expect, it } from "vitest";
import { fakeStream } from "../../../test/support/fake-stream.ts";
import { Input } from "./input.ts";

function inputWith(...keys: string[]): Input {
  const input = new Input(fakeStream(), () => {});
  input.remember("the first prompt");
  input.remember("the second prompt");
  input.frame(80);
  for (const key of keys) input.key(key);
  return input;
}

describe("the input", () => {
  const typed = Array.from("one two");
  const table: [name: string, before: string[], key: string[], after: string][] = [
    ["Ctrl-A goes to the beginning", typed, ["\x01", "x"], "xone two"],
    ["Ctrl-E goes to the end", [...typed, "\x01"], ["\x05", "x"], "one twox"],
    ["Ctrl-B goes back", typed, ["\x02", "x"], "one twxo"],
    ["Ctrl-F goes forward", [...typed, "\x01"], ["\x06", "x"], "oxne two"],
    ["Alt-B goes back a word", typed, ["\x1bb", "x"], "one xtwo"],
    ["Alt-F goes forward a word", [...typed, "\x01"], ["\x1bf", "x"], "onex two"],
    ["Ctrl-W deletes the word before", typed, ["\x17"], "one "],
    ["Alt-D deletes the word after", [...typed, "\x01"], ["\x1bd"], " two"],
    ["Ctrl-U deletes to the beginning", typed, ["\x15"], ""],
    ["Ctrl-K deletes to the end", [...typed, "\x01"], ["\x0b"], ""],
    ["Ctrl-Y brings back what was deleted", [...typed, "\x15"], ["\x19"], "one two"],
    ["Ctrl-D deletes the character after", [...typed, "\x01"], ["\x04"], "ne two"],
    ["Backspace deletes the character before", typed, ["\x7f"], "one tw"],
    ["Ctrl-J begins a line", typed, ["\n", "x"], "one two\nx"],
    ["a backslash and Enter begin a line", [...typed, "\\"], ["\r", "x"], "one two\nx"],
    ["Ctrl-- takes back", [...typed, "\x15"], ["\x1f"], "one two"],
    ["Up brings the last prompt", [], ["\x1b[A"], "the second prompt"],
    ["Up twice brings the one before", [], ["\x1b[A", "\x1b[A"], "the first prompt"],
    ["Up leaves the cursor at the end of a line", [], ["\x1b[A", "\x1b[A", "s"], "the first prompts"],
    ["Down goes back", ["\x1b[A", "\x1b[A"], ["\x1b[B"], "the second prompt"],
  ];

  it.each(table)("23: %s", (_, before, keys, after) => {
    expect(inputWith(...before, ...keys).text).toBe(after);
  });

  it("24: a paste of 10,000 lines is one marker, is submitted whole, and its line ends do not submit", () => {
    const lines = Array.from({ length: 10_000 }, (_, at) => `line ${at}`).join("\n");
    const input = inputWith();
    const submitted: string[] = [];
    input.onSubmit = (text) => void submitted.push(text);
    input.key(`\x1b[200~${lines}\x1b[201~`);
    expect(submitted).toEqual([]);
    expect(input.frame(80).rows).toEqual(["> [paste #1 +10000 lines]"]);
    input.key("\r");
    expect(submitted).toEqual([lines]);
  });

  it.each(["a\tb\n\tc", `${"\tline\n".repeat(20)}end`])(
    "keeps the tabs of a paste, wide on the screen: %j",
    (pasted) => {
      const input = inputWith(`\x1b[200~${pasted}\x1b[201~`);
      const submitted: string[] = [];
      input.onSubmit = (text) => submitted.push(text);
      expect(input.text).toBe(pasted);
      expect(input.frame(80).rows.join("")).not.toMatch(/[\t\ufdd0\ufdd1]/);
      input.key("\r");
      expect(submitted).toEqual([pasted]);
    },
  );

  it("keeps the tabs of an earlier prompt, and takes one away like four spaces", () => {
    const input = inputWith();
    input.remember("if:\tgo");
    input.key("\x1b[A");
    expect(input.text).toBe("if:\tgo");
    expect(input.frame(80).rows).toEqual(["> if:    go"]);
    for (const key of ["\x7f", "\x7f", "\x7f", "\x7f", "\x7f"]) input.key(key);
    expect(input.text).toBe("if:\t");
    input.key("\x7f");
    expect(input.text).toBe("if:");
  });

  it("shows no character that steers a terminal", () => {
    const input = inputWith("\x1b[200~a\u009b31mb\u202ec\x1b[201~");
    expect(input.frame(80).rows.join()).not.toMatch(/[\u0080-\u009f\u202e]/);
  });
});
