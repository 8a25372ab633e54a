import type { RunEvent } from "@cogency/protocol";
import { expect, it } from "vitest";
import { Outputs } from "./outputs.ts";

const run = { id: "r", conversation: "c", step: 1, order: 0 };
const said = (content: string, unit?: number) => ({ type: "respond", content, unit, timestamp: 0, run }) as RunEvent;
const other = (type: string) => ({ type, timestamp: 0, run }) as unknown as RunEvent;

it.each<[string, readonly RunEvent[], string]>([
  ["the pieces of a text", [said("I ", 1), said("see.\n", 1)], "I see."],
  ["all texts of an answer", [said("One.", 1), other("think"), said("Two.", 2)], "One.\n\nTwo."],
  [
    "what was said after the last call",
    [said("Looking.", 1), other("tool_ended"), said("Found ", 1), said("it.", 1)],
    "Found it.",
  ],
  ["the texts of a stored conversation", [said("One."), said("Two."), other("tool_ended"), said("Three.")], "Three."],
  ["the last turn", [said("One.", 1), other("run_ended"), said("Two.", 1)], "Two."],
  ["nothing where nothing was said", [other("tool_ended")], ""],
])("the answer is %s", (_, events, answer) => {
  const outputs = new Outputs();
  for (const event of events) outputs.event(event);
  expect(outputs.answer).toBe(answer);
});
