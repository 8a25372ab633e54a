import type { LogEvent } from "@cogency/protocol";
import { assertEqual } from "@cogency/protocol/testkit";
import type { Store } from "../../store.ts";
import { assertOutOfRange } from "../assert-rejects.ts";
import type { Case } from "../case.ts";
import { hugeCounts, key, noCounts, remarks, returned, said } from "../samples/events.ts";
import { hostileQueries, wordlessQueries } from "../samples/hostile-queries.ts";

/** A text, the words that find it, and the words that do not. */
const words: [what: string, text: string, finding: string[], missing: string[]][] = [
  [
    "where a word begins with it, and nowhere else",
    "Waterproof walnuts, 4711x.",
    ["walnut", "walnuts", "wal", "water", "471", "4711x"],
    ["alnut", "nuts", "proof", "walnutss", "711"],
  ],
  ["of one or two letters as a whole", "go to A-4", ["go", "a", "4", "GO"], ["t", "g"]],
  ["whatever its case is", "The WALNUT tree", ["walnut", "Walnut", "TREE", "tReE"], []],
  [
    "whatever its accents are",
    "Café Žižek, naïve; CAFE\u0301s",
    ["cafe", "café", "CAFÉ", "zizek", "Žižek", "naive", "cafe\u0301s"],
    ["cafè9"],
  ],
  [
    "of letters in other shapes",
    "ﬁle ｗａｌｎｕｔ ΟΔΟΣ İstanbul",
    ["file", "walnut", "οδός", "istanbul", "ＷＡＬＮＵＴ"],
    ["ile"],
  ],
  [
    "between signs that are no letters",
    "src/main_test.ts: foo.bar(baz)->qux; e-mail@example.org",
    ["main", "test", "ts", "bar", "baz", "qux", "mail", "example.org", "main_test.ts"],
    ["ain", "est"],
  ],
  [
    "of a script without spaces anywhere",
    "今日は東京タワーへ行きました。ภาษาไทยง่าย",
    ["東京", "京", "タワー", "行き", "東京タワー", "ไทย", "ภาษา"],
    ["大阪", "京東", "タイ"],
  ],
  [
    "beside a script without spaces",
    "私はTypeScriptが好き",
    ["typescript", "type", "好き", "TypeScriptが"],
    ["script"],
  ],
  [
    "of other scripts",
    "Привет, мир! שלום 안녕하세요 नमस्ते",
    ["привет", "прив", "мир", "שלום", "안녕"],
    ["ивет", "하세요"],
  ],
];

/** Which words a search finds, and in which events. */
export const searchCases: Case[] = [
  ...words.map(
    ([what, text, finding, missing]): Case => ({
      name: `search finds a word ${what}`,
      async check({ store }) {
        await store.append(key, [said("something else"), said(text)]);
        for (const query of finding) assertEqual(await found(store, query), [2], `what "${query}" finds`);
        for (const query of missing) assertEqual(await found(store, query), [], `what "${query}" finds`);
      },
    }),
  ),
  {
    name: "search finds messages of the person and the assistant and results of tools, with who and where",
    async check({ store }) {
      await store.append({ conversation: "other" }, remarks(1));
      await store.append(key, [
        said("A walnut, please.", 5.5),
        { type: "respond", content: "One walnut.", timestamp: 6.25 },
        returned([
          { tool: "weigh", content: "12 g" },
          { tool: "buy", content: { item: ["walnut"] } },
        ]),
      ]);
      const matches = await store.search("walnut", { user: undefined });
      for (const { score } of matches) assertEqual(score > 0, true, `whether the score ${score} is above 0`);
      assertEqual(
        matches.map((match) => ({ ...match, score: 1 })).toSorted((one, other) => one.seq - other.seq),
        [
          { conversation: "c", seq: 1, timestamp: 5.5, who: "user", excerpt: "A walnut, please.", score: 1 },
          { conversation: "c", seq: 2, timestamp: 6.25, who: "assistant", excerpt: "One walnut.", score: 1 },
          {
            conversation: "c",
            seq: 3,
            timestamp: 7,
            who: "tool",
            tool: "buy",
            excerpt: '{"item":["walnut"]}',
            score: 1,
          },
        ],
        "the matches",
      );
    },
  },
  {
    name: "search finds neither thoughts, calls and records, nor the framework's messages, nor results of `recall`",
    async check({ store }) {
      const hidden: LogEvent[] = [
        { type: "think", content: "walnut", timestamp: 1 },
        { type: "call", content: '{"name":"walnut","args":{"walnut":"walnut"}}', id: "walnut", timestamp: 1 },
        { type: "record", kind: "summary", data: "walnut", timestamp: 1 },
        { type: "cancelled", timestamp: 1 },
        { ...said("walnut"), origin: "nudge" },
        { ...said("walnut"), origin: "notice" },
        { ...said("walnut"), origin: "recovery" },
        returned([{ tool: "recall", content: "walnut" }]),
        returned([{ tool: "walnut", content: "the name of a tool" }]),
        {
          ...said("a picture"),
          attachments: [{ kind: "image", mediaType: "image/png", data: "walnut+A", name: "walnut" }],
        },
      ];
      await store.append(key, hidden);
      await store.append({ conversation: "walnut" }, remarks(1));
      assertEqual(await found(store, "walnut"), [], "the events found");
      await store.append(key, [said("a walnut")]);
      assertEqual(await found(store, "walnut"), [hidden.length + 1], "the events found after it was said");
    },
  },
  {
    name: "search finds the events of every append that has just resolved",
    async check({ store }) {
      for (let round = 1; round <= 30; round++) {
        const conversation = `c${round % 4}`;
        await store.append({ conversation }, remarks(round % 3, "filler"));
        await store.append({ conversation }, [said(`walnut number${round}`)]);
        const matches = await store.search(`number${round}`, { user: undefined, limit: 1 });
        assertEqual(
          matches.map(({ excerpt }) => excerpt),
          [`walnut number${round}`],
          `the match in round ${round}`,
        );
        assertEqual((await store.search("walnut", { user: undefined, limit: 100 })).length, round, "all matches");
      }
    },
  },
  {
    name: "search finds each of many events that were appended and searched for at once",
    async check({ store }) {
      const rounds = Array.from({ length: 30 }, async (_, round) => {
        const last = await store.append({ conversation: `c${round % 3}` }, [said(`walnut unique${round}x`)]);
        assertEqual(await found(store, `unique${round}x`), [last], `the event of round ${round}`);
      });
      await Promise.all(rounds);
      assertEqual((await found(store, "walnut")).length, 30, "the number of matches in the end");
    },
  },
  {
    name: "search reads the first 100,000 characters of a passage",
    async check({ store }) {
      const filler = "filler ".repeat(20_000);
      await store.append(key, [said(`${filler.slice(0, 99_900)} early ${filler.slice(0, 300)} late`)]);
      assertEqual(await found(store, "early"), [1], "what stands within");
      assertEqual(await found(store, "late"), [], "what stands beyond");
    },
  },
  {
    name: "search of a text without words is empty",
    async check({ store }) {
      await store.append(key, [said("a walnut *")]);
      for (const query of wordlessQueries) assertEqual(await found(store, query), [], JSON.stringify(query));
    },
  },
  {
    name: "search reads any text as words, and no operator in it",
    async check({ store }) {
      const other = { conversation: "other", user: "u" };
      await store.append(key, [said("something else"), said("a walnut")]);
      await store.append(other, [said("a walnut")]);
      for (const query of hostileQueries) {
        const matches = await store.search(query, { user: undefined });
        assertEqual(
          matches.map(({ conversation, seq }) => [conversation, seq]),
          query.includes("walnut") ? [["c", 2]] : [],
          `what ${JSON.stringify(query.slice(0, 200))} finds`,
        );
      }
      assertEqual((await store.load(key)).length + (await store.load(other)).length, 3, "the number of events");
    },
  },
  {
    name: "search finds words in every text that can be stored",
    async check({ store }) {
      await store.append(
        key,
        hostileQueries.map((text) => said(`${text} chestnut`)),
      );
      assertEqual(
        (await found(store, "chestnut")).length,
        hostileQueries.filter((text) => text.length < 90_000).length,
        "the number of events found",
      );
    },
  },
  {
    name: "search returns at most `limit` matches, 20 by default, and refuses invalid counts",
    async check({ store }) {
      await store.append(key, remarks(30, "walnut"));
      const count = async (limit?: number) => (await store.search("walnut", { user: undefined, limit })).length;
      assertEqual([await count(), await count(0), await count(7)], [20, 0, 7], "the numbers of matches");
      for (const limit of hugeCounts) assertEqual(await count(limit), 30, `the number with limit ${limit}`);
      for (const limit of noCounts) await assertOutOfRange(count(limit), `a search with limit ${limit}`);
      for (const limit of noCounts) {
        await assertOutOfRange(store.search("", { user: undefined, limit }), `a search for nothing with ${limit}`);
      }
    },
  },
];

/** The sequence numbers of the anonymous user's matches, in the order of the log. */
async function found(store: Store, query: string): Promise<number[]> {
  const matches = await store.search(query, { user: undefined, limit: 1_000 });
  return matches.map(({ seq }) => seq).toSorted((one, other) => one - other);
}
