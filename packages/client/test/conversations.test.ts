import { expect, it, onTestFinished } from "vitest";
import { clientOf, site, well } from "./support/site.ts";

function started(...args: Parameters<typeof site>) {
  const made = site(...args);
  onTestFinished(() => made.end());
  return made;
}

const user = (content: string, timestamp: number) => ({ type: "user", content, timestamp }) as const;

it("lists conversations, the latest first, and follows what changes", async () => {
  const made = started();
  for (const [i, conversation] of ["one", "two", "three"].entries())
    await made.store.append({ conversation, user: "ada" }, [user(`Word ${conversation}`, i + 1)]);
  const { conversations } = clientOf(made);
  const names = () => conversations.snapshot.conversations.map(({ title }) => title);
  expect(conversations.snapshot).toEqual({
    conversations: [],
    status: "loading",
    hasMore: false,
    connection: "connecting",
  });
  onTestFinished(conversations.subscribe(() => {}));
  await expect.poll(names).toEqual(["Word three", "Word two", "Word one"]);
  expect(conversations.snapshot).toMatchObject({ status: "ready", hasMore: false, connection: "open" });
  const [, second] = conversations.snapshot.conversations;
  await made.store.append({ conversation: "one", user: "ada" }, [
    { type: "record", kind: "title", data: { text: "Renamed" }, timestamp: 9 },
  ]);
  await made.store.delete({ conversation: "three", user: "ada" });
  await expect.poll(names).toEqual(["Renamed", "Word two"]);
  expect(conversations.snapshot.conversations[1]).toBe(second);
});

it("shows the same after connections that broke", async () => {
  const made = started();
  let connections = 0;
  // Two connections break in the middle of the list, one does not come about.
  const fates = [
    { end: { after: 150, how: "break" as const } },
    { request: "lost" as const },
    { end: { after: 400, how: "end" as const } },
  ];
  const fate = () => ({ ...well, ...fates[connections++] });
  const { conversations } = clientOf(made, fate);
  onTestFinished(conversations.subscribe(() => {}));
  for (let i = 0; i < 5; i++)
    await made.store.append({ conversation: `c${i}`, user: "ada" }, [user(`Word ${i}`, i + 1)]);
  await made.store.delete({ conversation: "c2", user: "ada" });
  await made.store.append({ conversation: "c9", user: "ada" }, [user("Word 9", 10)]);
  await expect
    .poll(() => conversations.snapshot.conversations.map(({ conversation }) => conversation))
    .toEqual(["c9", "c4", "c3", "c1", "c0"]);
  expect(connections).toBeGreaterThan(3);
});

it("loads more than the server lists by itself, and keeps it", async () => {
  const made = started();
  for (let i = 0; i < 170; i++)
    await made.store.append({ conversation: `c${i}`, user: "ada" }, [user(`Word ${i}`, i + 1)]);
  const { conversations } = clientOf(made);
  const count = () => conversations.snapshot.conversations.length;
  onTestFinished(conversations.subscribe(() => {}));
  await expect.poll(count).toBe(100);
  expect(conversations.snapshot.hasMore).toBe(true);
  await conversations.more();
  expect(count()).toBe(150);
  await conversations.more();
  expect([count(), conversations.snapshot.hasMore]).toEqual([170, false]);
  conversations.reconnect();
  await made.store.append({ conversation: "c0", user: "ada" }, [user("Again", 500)]);
  await expect.poll(() => conversations.snapshot.conversations[0]?.conversation).toBe("c0");
  expect(count()).toBe(170);
});
