import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { sessionList } from "./session-list.ts";

it("lists the conversations of a folder in pages, the latest first, each once", async () => {
  const store = memoryStore();
  const names = Array.from({ length: 120 }, (_, at) => `c${at}`);
  const agents = ["/here", "/there"].map((scope) =>
    createAgent({ provider: scripted(names.map(() => "Done.<end>")), store, scope }),
  );
  const begun = Date.now();
  for (const [at, conversation] of names.entries()) await agents[at % 2]?.ask(`say ${conversation}`, { conversation });

  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await sessionList(store, { cwd: "/here", cursor });
    expect(page.sessions.every(({ cwd }) => cwd === "/here")).toBe(true);
    pages.push(page.sessions.map(({ session }) => session));
    cursor = page.next;
  } while (cursor !== undefined);
  expect(pages.flat().toSorted()).toEqual(names.filter((_, at) => at % 2 === 0).toSorted());
  expect(pages.every((page) => page.length <= 50)).toBe(true);
  const all = await sessionList(store, {});
  expect(all.sessions).toHaveLength(50);
  const { title, updatedAt } = all.sessions[0] ?? {};
  expect(title).toMatch(/^say c/);
  // In milliseconds, while a store counts whole seconds.
  expect(updatedAt).toBeGreaterThan(begun - 1000);
});

it("refuses a cursor that no page has given", async () => {
  await expect(sessionList(memoryStore(), { cursor: "gone" })).rejects.toThrow(/Ask for it from the beginning/);
});
