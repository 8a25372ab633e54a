import { assertEqual } from "@cogency/protocol/testkit";
import type { Key } from "../../key.ts";
import { assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { remarks, said } from "../samples/events.ts";
import { trickyKeys, trickyNames } from "../samples/tricky-names.ts";

export const isolationCases: Case[] = [
  {
    name: "every conversation of every user is a separate log, whatever their names are",
    async check({ store }) {
      for (const [index, key] of trickyKeys.entries()) {
        assertEqual(await store.append(key, [said(`event of log ${index}`)], { expected: 0 }), 1, `log ${index}`);
      }
      for (const [index, key] of trickyKeys.entries()) {
        assertEqual(await store.load(key), [{ ...said(`event of log ${index}`), seq: 1 }], `log ${index}`);
      }
    },
  },
  {
    name: "a user's list contains only the user's conversations, whatever their names are",
    async check({ store }) {
      const users = [undefined, ...trickyNames];
      for (const [index, user] of users.entries()) {
        await store.append(keyOf("shared", user), [said(`user ${index}`)]);
        await store.append(keyOf(trickyNames[index] ?? "last", user), remarks(2));
      }
      for (const [index, user] of users.entries()) {
        assertEqual(
          (await store.conversations({ user, limit: 1_000 })).map((one) => [one.conversation, one.user, one.events]),
          [
            [trickyNames[index] ?? "last", user, 2],
            ["shared", user, 1],
          ],
          `the list of user ${index}`,
        );
      }
    },
  },
  {
    name: "deleting a user's conversation keeps those of other users",
    async check({ store }) {
      const users = [undefined, ...trickyNames];
      for (const user of users) await store.append(keyOf("shared", user), [said("x")], { batch: "b" });
      for (const [index, user] of users.entries()) {
        assertEqual(await store.delete(keyOf("shared", user)), true, `deleting the conversation of user ${index}`);
        assertEqual(await store.load(keyOf("shared", user)), [], `the deleted log of user ${index}`);
        const next = users[index + 1];
        if (next === undefined) continue;
        assertEqual((await store.load(keyOf("shared", next))).length, 1, `the log of user ${index + 1}`);
      }
    },
  },
  {
    name: "another user's log does not affect `expected`, batch ids or paging",
    async check({ store }) {
      const mine = keyOf("c", "me");
      await store.append(keyOf("c", "you"), remarks(5), { batch: "b" });
      await store.append(keyOf("only yours", "you"), remarks(1));
      const error = await assertRejects(
        store.append(mine, remarks(1), { expected: 5 }),
        "conflict",
        "the other's number",
      );
      assertEqual(error.actual, 0, "the actual number");
      assertEqual(await store.append(mine, remarks(1), { batch: "b" }), 1, "the other's batch id");
      assertEqual(
        await store.conversations({ user: "me", before: "only yours" }),
        [],
        "paging from the other's conversation",
      );
    },
  },
];

function keyOf(conversation: string, user: string | undefined): Key {
  return user === undefined ? { conversation } : { conversation, user };
}
