import { countWork } from "@tooling/vitest/count-work";
import { expect, it } from "vitest";
import { memoryStore } from "./memory-store.ts";

it("50,000 conversations are listed in pages, and the last page costs what the first one does", async () => {
  const count = 50_000;
  const store = memoryStore();
  for (let index = 0; index < count; index++) {
    await store.append({ conversation: `c${index}` }, [{ type: "respond", content: "", timestamp: 1 }]);
  }
  const listed: string[] = [];
  const works: number[] = [];
  for (let before: string | undefined; listed.length < count; before = listed.at(-1)) {
    const options = { limit: 500, before };
    works.push(
      await countWork(async () => {
        const page = await store.conversations(options);
        for (const { conversation } of page) listed.push(conversation);
      }),
    );
  }
  expect(listed).toEqual(Array.from({ length: count }, (_, index) => `c${count - 1 - index}`));
  expect(Math.max(...works)).toBeLessThan(500);
  expect(await store.conversations({ before: listed.at(-1) })).toEqual([]);
});
