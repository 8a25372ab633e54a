import { assert, assertEqual } from "@cogency/protocol/testkit";
import type { Store } from "../../store.ts";
import type { Case } from "../case.ts";
import { key, remarks, returned, said } from "../samples/events.ts";
import { trickyNames } from "../samples/tricky-names.ts";

/** The order, the scope and the excerpts of matches. */
export const rankingCases: Case[] = [
  {
    name: "search ranks events with more of the words higher",
    async check({ store }) {
      await store.append(key, [
        said("walnut cake recipe"),
        said("walnut"),
        said("walnut recipe"),
        said("a walnut walnut"),
      ]);
      assertEqual((await ranked(store, "recipe walnut cake")).slice(0, 2), [1, 3], "the best two events");
      await store.append(key, [said(`${"walnut recipe ".repeat(3_000)} hazelnut`), said("recipe walnut")]);
      assertEqual((await ranked(store, "recipe walnut hazelnut"))[0], 5, "the best event, whose last word stands late");
    },
  },
  {
    name: "search ranks events with rarer words higher",
    async check({ store }) {
      await store.append(key, [said("a chestnut"), ...remarks(20, "walnut"), said("walnut")]);
      assertEqual((await ranked(store, "walnut chestnut"))[0], 1, "the best event");
    },
  },
  {
    name: "search ranks messages higher than results of tools",
    async check({ store }) {
      await store.append(key, [
        said("walnut"),
        { type: "respond", content: "walnut", timestamp: 2 },
        returned([{ tool: "find", content: "walnut" }]),
      ]);
      assertEqual(await ranked(store, "walnut"), [2, 1, 3], "the events");
    },
  },
  {
    name: "search puts the latest of equal matches first, whatever the timestamps say",
    async check({ store }) {
      for (const [index, conversation] of ["a", "b"].entries()) {
        await store.append({ conversation }, [said("walnut", 300 - index), said("walnut", 200 - index)]);
        await store.append({ conversation }, [said("walnut", 100 - index)]);
      }
      const matches = await store.search("walnut", { user: undefined });
      assertEqual(
        matches.map(({ conversation, seq }) => `${conversation}${seq}`),
        ["b3", "b2", "b1", "a3", "a2", "a1"],
        "the events",
      );
      assertEqual(new Set(matches.map(({ score }) => score)).size, 1, "the number of different scores");
    },
  },
  {
    name: "search orders matches by score",
    async check({ store }) {
      await store.append(key, [said("walnut cake"), said("walnut"), returned([{ tool: "t", content: "walnut" }])]);
      const scores = (await store.search("walnut cake", { user: undefined })).map(({ score }) => score);
      const isFalling = scores.every((score, index) => score > 0 && score < (scores[index - 1] ?? Infinity));
      assert(isFalling && scores.length === 3, `The scores of three matches must fall: ${scores}.`);
    },
  },
  {
    name: "search finds the best of thousands of events",
    async check({ store }) {
      await store.append(key, [said("A walnut in a chestnut tree.")]);
      for (let batch = 0; batch < 4; batch++) {
        await store.append(key, remarks(500, "walnut"));
        await store.append({ conversation: `other ${batch}` }, remarks(100, "walnut"));
      }
      assertEqual((await ranked(store, "walnut chestnut", 3))[0], 1, "the best event");
      assertEqual((await ranked(store, "walnut chestn", 3))[0], 1, "the best event for the start of a word");
    },
  },
  {
    name: "search finds only the user's conversations, whatever the names of users are",
    async check({ store }) {
      const users = [undefined, ...trickyNames];
      for (const [index, user] of users.entries()) {
        await store.append({ conversation: `walnut ${index}`, user }, remarks((index % 5) + 1, "walnut"));
      }
      for (const [index, user] of users.entries()) {
        const matches = await store.search("walnut", { user, limit: 1_000 });
        const conversations = new Set(matches.map(({ conversation }) => conversation));
        assertEqual([...conversations], [`walnut ${index}`], `where matches of user ${index} are`);
        assertEqual(matches.length, (index % 5) + 1, `the number of matches of user ${index}`);
      }
      assertEqual(await store.search("walnut", { user: "nobody" }), [], "the matches of a user without conversations");
    },
  },
  {
    name: "search finds a user's matches however many better ones others have",
    async check({ store }) {
      for (let batch = 0; batch < 3; batch++) {
        await store.append({ conversation: "c", user: "busy" }, remarks(400, "walnut walnut walnut"));
      }
      await store.append(key, [said(`a walnut ${"in a long text ".repeat(200)}`)]);
      await store.append({ conversation: "c", user: "busy" }, remarks(400, "walnut walnut walnut"));
      assertEqual(await ranked(store, "walnut"), [1], "the events");
    },
  },
  {
    name: "search leaves out the excluded conversation of the user, whatever its name is",
    async check({ store }) {
      for (const conversation of trickyNames) await store.append({ conversation }, [said("walnut")]);
      for (const exclude of trickyNames) {
        const matches = await store.search("walnut", { user: undefined, exclude, limit: 1_000 });
        const names = trickyNames.map((name) => name);
        assertEqual(
          matches.map(({ conversation }) => conversation).toSorted(),
          names.filter((name) => name !== exclude).toSorted(),
          `the conversations without ${JSON.stringify(exclude.slice(0, 40))}`,
        );
      }
    },
  },
  {
    name: "an excerpt has at most 300 whole characters on one line, around the words",
    async check({ store }) {
      const around = "🙂 née\u0000\n\t東京 ".repeat(400);
      await store.append(key, [said(`${around} walnut \n cake ${around}`)]);
      const [match] = await store.search("cake walnut", { user: undefined });
      const excerpt = match?.excerpt ?? "";
      assert(Array.from(excerpt).length <= 300, `The excerpt has ${Array.from(excerpt).length} characters.`);
      assert(excerpt.includes("walnut cake"), `The excerpt must hold the words: "${excerpt}".`);
      assert(excerpt.isWellFormed(), "The excerpt must be well-formed text.");
      assert(!/\p{Cc}/u.test(excerpt), "The excerpt must be on one line, without control characters.");
    },
  },
  {
    name: "search finds nothing of a deleted conversation, nor of an earlier one with the same name",
    async check({ store }) {
      await store.append(key, [said("walnut"), said("walnut"), said("walnut")]);
      await store.append({ ...key, user: "u" }, [said("walnut")]);
      assertEqual((await ranked(store, "walnut")).length, 3, "the number of matches");
      await store.delete(key);
      assertEqual(await ranked(store, "walnut"), [], "the matches after the conversation was deleted");
      await store.append(key, [said("chestnut")]);
      assertEqual(await ranked(store, "chestnut"), [1], "what is found of the new one");
      await store.append(key, [said("hazelnut"), said("walnut")]);
      assertEqual(await ranked(store, "walnut"), [3], "what is found of the new one, later");
      assertEqual((await store.search("walnut", { user: "u" })).length, 1, "the matches of the other user");
    },
  },
];

/** The sequence numbers of the anonymous user's matches, in their order. */
async function ranked(store: Store, query: string, limit = 1_000): Promise<number[]> {
  return (await store.search(query, { user: undefined, limit })).map(({ seq }) => seq);
}
