import { expect, it } from "vitest";
import { fakeStream } from "../../../test/support/fake-stream.ts";
import { sharedPaper } from "./shared-paper.ts";

it("what happens while a question stands follows its answer, and what was said before stands before it", () => {
  const lines: string[] = [];
  let isAsking = false;
  const { turns, questions } = sharedPaper(
    { add: (block) => void lines.push(...block(80)), refresh() {}, stream: fakeStream() },
    { isAsking: () => isAsking, interrupt: () => void lines.push("said before") },
  );
  turns.add(() => ["one"]);
  questions.add(() => ["May it run?"]);
  isAsking = true;
  turns.add(() => ["the first call is done"]);
  questions.add(() => ["Allowed"]);
  questions.refresh();
  isAsking = false;
  questions.refresh();
  turns.add(() => ["two"]);
  expect(lines).toEqual(["one", "said before", "May it run?", "Allowed", "the first call is done", "two"]);
});
