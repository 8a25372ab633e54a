import type { LogEvent } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { findConversation } from "./find-conversation.ts";
import { nameConversation } from "./name-conversation.ts";

const said: LogEvent = { type: "user", content: "Fix the test", timestamp: 1 };
const key = { conversation: "c" };

it("gives a conversation a title, by which it is found, and later another one", async () => {
  const store = memoryStore();
  await store.append(key, [said]);
  expect(await nameConversation(key, " Plans\nfor\u001b[2J May ", store, "c.db")).toBe("Plans for\\u001b[2J May");
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

it("is refused while a run is at work on the conversation", async () => {
  const store = memoryStore();
  await store.append(key, [said]);
  await store.lease(key, { owner: "a run", ttl: 60_000 });
  await expect(nameConversation(key, "A title", store, "c.db")).rejects.toMatchObject({ code: "lease_held" });
});
