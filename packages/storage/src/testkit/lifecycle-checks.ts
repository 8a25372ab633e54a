import { assertEqual, assertRejects } from "./assert.ts";
import type { Check } from "./check.ts";
import { remarks, said } from "./samples.ts";

const key = { conversation: "c" };

export const lifecycleChecks: Check[] = [
  {
    name: "delete removes the log, its place in the list and its batch ids",
    async check(store, reopen) {
      await store.append({ conversation: "other" }, remarks(2));
      await store.append(key, remarks(3), { batch: "b" });
      assertEqual(await store.delete(key), true, "deleting a conversation");
      assertEqual(await store.load(key), [], "the log");
      const later = await reopen();
      assertEqual(await later.load(key), [], "the log after the store was reopened");
      assertEqual(
        (await later.conversations()).map(({ conversation }) => conversation),
        ["other"],
        "the list",
      );
      assertEqual((await later.load({ conversation: "other" })).length, 2, "the other log");
      assertEqual(
        await later.append(key, [said("anew", 9)], { batch: "b", expected: 0 }),
        1,
        "an append with the old batch id",
      );
      assertEqual(await later.load(key), [{ ...said("anew", 9), seq: 1 }], "the new log");
      const [summary] = await later.conversations();
      assertEqual(
        summary,
        { conversation: "c", title: "anew", events: 1, createdAt: 9, updatedAt: 9 },
        "the new summary",
      );
    },
  },
  {
    name: "delete says whether there was a conversation",
    async check(store) {
      assertEqual(await store.delete(key), false, "a conversation that was never written");
      await store.append(key, remarks(1));
      assertEqual(await store.delete({ ...key, user: "u" }), false, "another user's conversation of that name");
      assertEqual(await store.delete(key), true, "the conversation");
      assertEqual(await store.delete(key), false, "the conversation a second time");
    },
  },
  {
    name: "close makes every later call fail with `closed`, and may be called again",
    async check(store) {
      await store.append(key, remarks(1), { batch: "b" });
      await store.close();
      await assertRejects(store.append(key, remarks(1)), "closed", "append");
      await assertRejects(store.append(key, []), "closed", "append of an empty batch");
      await assertRejects(store.append(key, remarks(1), { batch: "b" }), "closed", "append of a stored batch");
      await assertRejects(store.load(key), "closed", "load");
      await assertRejects(store.conversations(), "closed", "conversations");
      await assertRejects(store.delete(key), "closed", "delete");
      await store.close();
    },
  },
];
