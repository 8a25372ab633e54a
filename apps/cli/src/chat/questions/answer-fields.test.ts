import { expect, it } from "vitest";
import { answerFields } from "./answer-fields.ts";

const items = { type: "string", enum: ["Guitar", "Piano", "Drums"] };
const [field] = answerFields({ type: "object", properties: { plays: { type: "array", items } }, required: ["plays"] });

it("says that several choices may be typed", () => {
  expect(field?.hint).toBe("any of: Guitar, Piano, Drums, with commas");
});

it.each([
  ["one choice", "piano", ["Piano"]],
  ["several choices", "Guitar,  drums,", ["Guitar", "Drums"]],
  ["no choice", ",", []],
  ["JSON", '["Piano"]', ["Piano"]],
])("reads %s", (_, text, value) => {
  expect(field?.read(text)).toEqual({ value });
});

it("refuses a list with something else in it", () => {
  expect(field?.read("Guitar, harp")).toEqual({ problem: "any of: Guitar, Piano, Drums, with commas" });
});
