import type { LogEvent } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { findConversation } from "../../place/store/find-conversation.ts";
import { nameConversation } from "./name-conversation.ts";

const said: LogEvent = { type: "user", content: "Fix the test", timestamp: 1 };
const key = { conversation: "c" };

it("gives a conversation a title, by which it is found, and later another one", async () => {
  const store = memoryStore();
  await store.append(key, [said]);
  expect(await nameConversation(key, " Plans\nfor\u001b[2J May ", store, "c.db")).toEqual({
    title: "Plans for\\u001b[2J May",
  });
  await nameConversation(key, "Plans for June", store, "c.db");
  expect(await store.conversations()).toMatchObject([{ title: "Plans for June", events: 3 }]);
  expect(await findConversation("for june", store, "c.db")).toBe("c");
  await expect(findConversation("fix the", store, "c.db")).rejects.toThrow("no conversation");
});

it.each([
  ["c", " \n", "The title is empty"],
  ["c", "x".repeat(81), "The title has 81 characters. Give at most 80."],
  ["d", "A title", 'no conversation "d"'],
])("changes nothing for %s, %j: %s", async (conversation, title, message) => {
  const store = memoryStore();
  await store.append(key, [said]);
  await expect(nameConversation({ conversation }, title, store, "c.db")).rejects.toThrow(message);
  expect(await store.conversations()).toMatchObject([{ conversation: "c", title: "Fix the test", events: 1 }]);
});

it("is sent to the run that is at work on the conversation, with a proof", async () => {
  const store = memoryStore();
  await store.append(key, [said]);
  await store.lease(key, { owner: "a run", ttl: 60_000 });
  const { later } = await nameConversation(key, "A title", store, "c.db");
  expect(later).toMatch(/^A run is at work: it stores the name/);
  expect(await store.inbox(key)).toMatchObject([{ message: { kind: "title", content: "A title", proof: {} } }]);
  expect(await store.load(key)).toHaveLength(1);
});
