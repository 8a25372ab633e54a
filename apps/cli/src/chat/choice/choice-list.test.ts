import { describe, expect, it } from "vitest";
import { fakeStream } from "../../../test/support/fake-stream.ts";
import { ChoiceList } from "./choice-list.ts";

const keys: Record<string, string> = {
  up: "\u001b[A",
  down: "\u001b[B",
  pageDown: "\u001b[6~",
  pageUp: "\u001b[5~",
  enter: "\r",
  escape: "\u001b",
  interrupt: "\u0003",
};

function list(count: number, at?: number) {
  const settled: (number | undefined)[] = [];
  const rows = Array.from({ length: count }, (_, index) => `row ${index}`);
  const choice = new ChoiceList(
    { title: "Which?", rows, ...(at !== undefined && { at }) },
    (chosen) => void settled.push(chosen),
  );
  return { choice, settled, rows: (most = 40) => choice.rows(60, most, fakeStream()) };
}

describe("a list at the foot", () => {
  it.each([
    [["enter"], 2],
    [["up", "enter"], 1],
    [["up", "up", "up", "up", "enter"], 0],
    [["down", "down", "enter"], 3],
    [["pageDown", "enter"], 3],
    [["pageUp", "enter"], 0],
    [["x", "1", "down", "enter"], 3],
    [["escape"], undefined],
    [["interrupt"], undefined],
  ])("takes a row by the keys %j", (pressed, chosen) => {
    const { choice, settled } = list(4, 2);
    for (const key of pressed) choice.key(keys[key] ?? key);
    expect(settled).toEqual([chosen]);
  });

  it("shows the rows around the chosen one that fit, and which of how many it is", () => {
    const { choice, rows } = list(30);
    for (let at = 0; at < 20; at++) choice.key(keys.down ?? "");
    const shown = rows(7);
    expect(shown).toHaveLength(7);
    expect(shown.filter((row) => row.startsWith("> "))).toEqual(["> row 20"]);
    expect(shown.at(-1)).toContain("21 of 30");
    expect(rows(60)).toHaveLength(14);
  });

  it("shows no character that controls the terminal, and keeps the lines of a tree", () => {
    const settle = () => {};
    const choice = new ChoiceList({ title: "W\u001b[2J?", rows: ["a", "└ b\u001b]0;x\u0007\nc"] }, settle);
    const shown = choice.rows(60, 20, fakeStream()).join("");
    expect(shown).not.toMatch(/\p{Cc}/u);
    expect(shown).toContain("  └ b");
  });
});
