import { memoryStore, type Store } from "@cogency/storage";
import { expect, it } from "vitest";
import { allNames } from "./all-names.ts";

it("returns all of many conversations while others are deleted", async () => {
  const inner = memoryStore();
  const names = Array.from({ length: 1_200 }, (_, index) => `c${index}`);
  for (const conversation of names) {
    await inner.append({ conversation, user: "Ada" }, [{ type: "user", timestamp: 1, content: "x" }]);
  }
  const store: Store = {
    ...inner,
    async conversations(options) {
      const page = await inner.conversations(options);
      await inner.delete({ conversation: page.at(-1)?.conversation ?? "", user: "Ada" });
      return page;
    },
  };
  expect(await allNames(store, "Ada")).toEqual(names);
});
