import { expect, it } from "vitest";
import { ConversationList } from "./conversation-list.ts";

const summary = (conversation: string, title: string) => ({
  conversation,
  title,
  events: 3,
  createdAt: 1,
  updatedAt: 1,
});
const all = [summary("b7", "Fix the Test"), summary("notes", "read a file"), summary("b8", "fix a file")];

it("holds what was typed: words of a title in any letter case, or the beginning of an id", () => {
  const list = new ConversationList(all);
  const found = (words: string) => {
    list.filter(words);
    return list.found.map(({ conversation }) => conversation);
  };
  expect(found("FIX")).toEqual(["b7", "b8"]);
  expect(found("file fix")).toEqual(["b8"]);
  expect(found("b")).toEqual(["b7", "b8"]);
  expect(found("nothing")).toEqual([]);
  expect(list.chosen).toBeUndefined();
  expect(found("")).toHaveLength(3);
});

it("marks the one that Enter takes, stays at the ends, and shows the rows around it", () => {
  const list = new ConversationList(all);
  list.move(-1);
  expect(list.chosen).toBe("b7");
  list.move(9);
  expect(list.chosen).toBe("b8");
  const rows = list.rows(60, 2).map(({ text }) => text);
  expect(rows).toEqual([expect.stringMatching(/^ {2}.*\(notes\)$/), expect.stringMatching(/^> .*\(b8\)$/)]);
  list.filter("fix");
  expect(list.chosen).toBe("b7");
});
