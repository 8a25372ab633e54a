import { describe, expect, it } from "vitest";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { AnswerKeys } from "./answer-keys.ts";

/**
 * Presses keys as a person does, each after so many milliseconds; `question` is when one appears. Returns what was answered, and what
 * stands in the editor. A `y` answers, and `r` shows more of the question.
 */
function pressed(steps: readonly (readonly [after: number, key: string])[]) {
  const { clock, pass } = fakeClock();
  const answers: string[] = [];
  const draft = { text: "", typedAt: Number.NEGATIVE_INFINITY };
  let isOpen = false;
  const type = (key: string) => {
    draft.typedAt = key === "\r" ? Number.NEGATIVE_INFINITY : clock.now();
    draft.text = key === "\r" ? "" : key === "\b" ? draft.text.slice(0, -1) : draft.text + key;
  };
  const keys = new AnswerKeys(
    {
      answer(key) {
        if (!["y", "r"].includes(key)) return false;
        answers.push(key);
        return true;
      },
      type,
    },
    clock,
  );
  pass(60_000);
  for (const [after, key] of steps) {
    pass(after);
    if (key === "question") {
      isOpen = true;
      keys.shown();
    } else if (!isOpen || !keys.key(key, draft)) type(key);
  }
  pass(60_000);
  return { answers: answers.join(""), text: draft.text };
}

/** A text, a letter each 120 ms. */
const typing = (text: string) => Array.from(text, (key) => [120, key] as const);

describe("a key while a question stands", () => {
  it.each<[string, readonly (readonly [number, string])[], { answers: string; text: string }]>([
    [
      "answers when nobody was typing",
      [
        [0, "question"],
        [2000, "y"],
      ],
      { answers: "y", text: "" },
    ],
    [
      "answers, be it pressed as soon as the question appears",
      [
        [0, "question"],
        [50, "y"],
      ],
      { answers: "y", text: "" },
    ],
    [
      "answers just after a prompt was sent",
      [...typing("go\r"), [100, "question"], [200, "y"]],
      { answers: "y", text: "" },
    ],
    [
      "answers with Enter after it",
      [
        [0, "question"],
        [100, "y"],
        [80, "\r"],
      ],
      { answers: "y", text: "" },
    ],
    [
      "is text when the editor holds a text, however long ago that was typed",
      [...typing("pla"), [9000, "question"], [9000, "y"]],
      { answers: "", text: "play" },
    ],
    [
      "is text in the middle of typing",
      [...typing("mayb"), [10, "question"], ...typing("e yes")],
      { answers: "", text: "maybe yes" },
    ],
    [
      "is text just after the editor was emptied",
      [...typing("x\b"), [10, "question"], [400, "y"]],
      { answers: "", text: "y" },
    ],
    [
      "answers a second after the editor was emptied",
      [...typing("x\b"), [10, "question"], [1000, "y"]],
      { answers: "y", text: "" },
    ],
    [
      "is text as the first letter of one that begins as the question appears",
      [[0, "question"], [5, "y"], ...typing("es please")],
      { answers: "", text: "yes please" },
    ],
    [
      "is text where a program or a tired finger sends all of it at once",
      [
        [0, "question"],
        [5, "y"],
        [0, "e"],
        [0, "s"],
      ],
      { answers: "", text: "yes" },
    ],
    [
      "is text when it means nothing here",
      [
        [0, "question"],
        [5, "q"],
      ],
      { answers: "", text: "q" },
    ],
    [
      "answers once when it is pressed twice, and another question follows at once",
      [
        [0, "question"],
        [900, "y"],
        [10, "question"],
        [100, "y"],
      ],
      { answers: "y", text: "" },
    ],
    [
      "answers a question that follows another one",
      [
        [0, "question"],
        [900, "y"],
        [10, "question"],
        [600, "y"],
      ],
      { answers: "yy", text: "" },
    ],
    [
      "answers after more was shown",
      [
        [0, "question"],
        [900, "r"],
        [400, "y"],
      ],
      { answers: "ry", text: "" },
    ],
    [
      "is text as the first letter of one that begins as more is shown",
      [[0, "question"], [900, "r"], [400, "y"], ...typing("es")],
      { answers: "r", text: "yes" },
    ],
  ])("%s", (_, steps, after) => {
    expect(pressed(steps)).toEqual(after);
  });
});
