import type { Json } from "@cogency/protocol";
import { assertEqual } from "@cogency/protocol/testkit";
import { assertRejects } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { oddData, oddTexts, remarks } from "../samples/events.ts";
import { trickyNames } from "../samples/tricky-names.ts";
import { unstorableValues } from "../samples/unstorable.ts";

/** The profiles of users. */
export const profileCases: Case[] = [
  {
    name: "a profile counts its versions from 1, and each save replaces it",
    async check({ store }) {
      assertEqual(await store.loadProfile("u"), null, "the profile of a user without one");
      assertEqual(await store.saveProfile("u", { name: "Ada", likes: ["tea"] }), 1, "the first version");
      assertEqual(
        await store.loadProfile("u"),
        { profile: { name: "Ada", likes: ["tea"] }, version: 1 },
        "what was saved",
      );
      assertEqual(await store.saveProfile("u", { name: "Ada L." }), 2, "the second version");
      assertEqual(await store.loadProfile("u"), { profile: { name: "Ada L." }, version: 2 }, "what was saved then");
    },
  },
  ...Object.entries<Json>({
    ...Object.fromEntries(Object.entries(oddTexts).map(([what, text]) => [`text with ${what}`, { [text]: [text] }])),
    ...oddData,
    null: null,
    false: false,
    "an empty text": "",
    "a list": [1, [2, [3]]],
  }).map(
    ([what, profile]): Case => ({
      name: `a profile of ${what} comes back unchanged`,
      async check({ store }) {
        await store.saveProfile(undefined, profile);
        assertEqual(await store.loadProfile(undefined), { profile, version: 1 }, "the profile");
      },
    }),
  ),
  {
    name: "a profile may have ten megabytes",
    async check({ store }) {
      const text = "0123456789abcdé\n".repeat(625_000);
      await store.saveProfile("u", { text });
      const loaded = await store.loadProfile("u");
      const profile = loaded?.profile as { text?: string } | undefined;
      assertEqual(profile?.text === text, true, "whether the text came back unchanged");
    },
  },
  {
    name: "saveProfile with `expected` saves only if it is the version, and its error has the actual one",
    async check({ store }) {
      assertEqual(await store.saveProfile("u", 1, { expected: 0 }), 1, "expected 0 without a profile");
      for (const expected of [0, 2, 100, -1]) {
        const refusal = await assertRejects(
          store.saveProfile("u", 2, { expected }),
          "conflict",
          `expected ${expected}`,
        );
        assertEqual([refusal.expected, refusal.actual], [expected, 1], "what the conflict says");
      }
      assertEqual(await store.loadProfile("u"), { profile: 1, version: 1 }, "the profile after the conflicts");
      assertEqual(await store.saveProfile("u", 2, { expected: 1 }), 2, "expected 1");
      await assertRejects(store.saveProfile("nobody", 1, { expected: 1 }), "conflict", "a user without a profile");
      assertEqual(await store.loadProfile("nobody"), null, "that user's profile");
    },
  },
  {
    name: "saveProfile lets one of many writers with the same `expected` win, and loses no version without it",
    async check({ store }) {
      const racing = Array.from({ length: 20 }, (_, index) => store.saveProfile("u", index, { expected: 0 }));
      const results = await Promise.allSettled(racing);
      assertEqual(results.filter(({ status }) => status === "fulfilled").length, 1, "the number of winners");
      const versions = await Promise.all(Array.from({ length: 20 }, (_, index) => store.saveProfile("u", index)));
      assertEqual(
        versions.toSorted((one, other) => one - other),
        Array.from({ length: 20 }, (_, index) => index + 2),
        "the versions that were given",
      );
      assertEqual((await store.loadProfile("u"))?.version, 21, "the last version");
    },
  },
  {
    name: "profiles are separate for every user, whatever their names are, and for the anonymous user",
    async check({ store }) {
      const users = [undefined, ...trickyNames];
      for (const [index, user] of users.entries()) {
        assertEqual(await store.saveProfile(user, index, { expected: 0 }), 1, `saving the profile of user ${index}`);
      }
      for (const [index, user] of users.entries()) {
        assertEqual(await store.loadProfile(user), { profile: index, version: 1 }, `the profile of user ${index}`);
        assertEqual(await store.deleteProfile(user), true, `deleting the profile of user ${index}`);
        assertEqual(await store.loadProfile(user), null, `the deleted profile of user ${index}`);
      }
    },
  },
  {
    name: "deleteProfile returns whether one existed, keeps the conversations, and versions start again",
    async check({ store }) {
      const key = { conversation: "c", user: "u" };
      await store.append(key, remarks(2));
      assertEqual(await store.deleteProfile("u"), false, "a user without a profile");
      await store.saveProfile("u", 1);
      await store.saveProfile("u", 2);
      assertEqual(await store.deleteProfile("u"), true, "a user with a profile");
      assertEqual(await store.deleteProfile("u"), false, "the user a second time");
      assertEqual((await store.load(key)).length, 2, "the number of events");
      assertEqual(await store.saveProfile("u", 3, { expected: 0 }), 1, "the first version after");
    },
  },
  {
    name: "deleting a user's conversations keeps the profile",
    async check({ store }) {
      await store.append({ conversation: "c", user: "u" }, remarks(2));
      await store.saveProfile("u", { stays: true });
      await store.delete({ conversation: "c", user: "u" });
      assertEqual(await store.loadProfile("u"), { profile: { stays: true }, version: 1 }, "the profile");
    },
  },
  {
    name: "saveProfile refuses values that JSON cannot hold, and keeps the earlier profile",
    async check({ store }) {
      await store.saveProfile("u", "before");
      const values = [["undefined", undefined], ...Object.entries(unstorableValues())] as const;
      for (const [what, value] of values) {
        await assertRejects(store.saveProfile("u", value as Json), "invalid_profile", what);
        await assertRejects(store.saveProfile("u", { list: [value] } as Json), "invalid_profile", `${what} in a list`);
      }
      assertEqual(await store.loadProfile("u"), { profile: "before", version: 1 }, "the profile");
    },
  },
  {
    name: "saveProfile stores the value as it is at the time of the call, as well-formed text",
    async check({ store }) {
      const profile = { list: [1], text: "\ud83d" };
      const saved = store.saveProfile("u", profile);
      profile.list.push(2);
      await saved;
      const loaded = await store.loadProfile("u");
      assertEqual(loaded?.profile, { list: [1], text: "\ufffd" }, "the profile");
      const list = (loaded?.profile as { list: number[] } | undefined)?.list;
      list?.push(3);
      assertEqual((await store.loadProfile("u"))?.profile, { list: [1], text: "\ufffd" }, "the profile, once more");
    },
  },
];
