import { describe } from "vitest";
import { passagesOf, type SearchOptions } from "../src/adapter.ts";
import { type Match, type Store, StoreError } from "../src/index.ts";
import { type Defect, notice } from "./support/notice.ts";

const defects: Defect[] = [
  ["finds words inside other words", /where a word begins/, matching((text, word) => text.includes(word))],
  [
    "finds whole words only",
    /where a word begins/,
    matching((text, word) => text.split(/[^\p{L}\p{N}]+/u).includes(word)),
  ],
  ["finds words that begin with one letter", /one or two letters/, matching((text, word) => starts(text, word))],
  [
    "distinguishes upper and lower case",
    /whatever its case is/,
    changing(async (search, text, options) => {
      const words = text.split(/\W+/);
      return (await search(text, options)).filter(({ excerpt }) => words.some((word) => excerpt.includes(word)));
    }),
  ],
  ["distinguishes accents", /whatever its accents are/, matching((text, word) => starts(text, word))],
  ["finds only words between spaces", /script without spaces anywhere/, matching((text, word) => starts(text, word))],
  [
    "finds only events with all words",
    /more of the words|rarer word/,
    changing(async (search, text, options) =>
      (await search(text, options)).filter(({ excerpt }) => text.split(" ").every((word) => excerpt.includes(word))),
    ),
  ],
  ["puts the latest first, whatever words it contains", /more of the words/, sorting(() => 0)],
  [
    "weighs all words alike",
    /rarer word/,
    sorting((match, words) => words.filter((word) => match.excerpt.includes(word)).length),
  ],
  ["puts what a tool returned first", /messages higher than results/, sorting(({ who }) => (who === "tool" ? 1 : 0))],
  ["ignores who wrote the text", /messages higher than results/, sorting(() => 0)],
  ["puts the earliest of equal matches first", /the latest of equal matches first/, sorting(({ seq }) => -seq)],
  ["orders equal matches by timestamps", /whatever the clocks/, sorting(({ timestamp }) => timestamp)],
  [
    "scores by the index in the list",
    /the latest of equal matches first/,
    changing(async (search, text, options) =>
      (await search(text, options)).map((match, index) => ({ ...match, score: 1 / (index + 1) })),
    ),
  ],
  [
    "returns no score",
    /with who and where/,
    changing(async (search, text, options) => (await search(text, options)).map((match) => ({ ...match, score: 0 }))),
  ],
  [
    "does not name the tool",
    /with who and where/,
    changing(async (search, text, options) => (await search(text, options)).map(({ tool: _, ...match }) => match)),
  ],
  [
    "finds events of all users",
    /search finds only the user's/,
    (store) => ({
      append: ({ conversation }, events, options) => store.append({ conversation }, events, options),
      search: (text, options) => store.search(text, { ...options, user: undefined }),
    }),
  ],
  [
    "filters the user's matches from the best of all users",
    /finds a user's matches however/,
    (store) => {
      const place = (user: string | undefined, conversation: string) => ({ conversation: `${user}/${conversation}` });
      return {
        append: ({ user, conversation }, events) => store.append(place(user, conversation), events),
        async search(text, { user }) {
          const matches = await store.search(text, { user: undefined, limit: 500 });
          return matches.filter(({ conversation }) => conversation.startsWith(`${user}/`));
        },
      };
    },
  ],
  [
    "ignores `exclude`",
    /leaves out the excluded conversation/,
    changing((search, text, { exclude: _, ...options }) => search(text, options)),
  ],
  [
    "leaves out more conversations than `exclude`",
    /leaves out the excluded conversation/,
    changing(async (search, text, { exclude, ...options }) =>
      (await search(text, options)).filter(({ conversation }) => !exclude || !conversation.startsWith(exclude)),
    ),
  ],
  [
    "ignores `limit`",
    /at most `limit`/,
    changing((search, text, options) => search(text, { ...options, limit: Number.POSITIVE_INFINITY })),
  ],
  [
    "accepts a fraction as a count",
    /search returns at most/,
    changing((search, text, { limit = 20, ...options }) => search(text, { ...options, limit: Math.ceil(limit) })),
  ],
  [
    "reads only the first thousand events",
    /best of thousands/,
    changing(async (search, text, options) =>
      (await search(text, { ...options, limit: 5_000 })).filter(({ seq }) => seq > 1_000),
    ),
  ],
  [
    "finds messages of the framework",
    /nor the framework's messages/,
    (store) => ({
      append: (key, events, options) =>
        store.append(
          key,
          events.map((event) =>
            event.type === "user" ? { type: "user", content: event.content, timestamp: 0 } : event,
          ),
          options,
        ),
    }),
  ],
  [
    "finds thoughts",
    /neither thoughts/,
    (store) => ({
      append: (key, events, options) =>
        store.append(
          key,
          events.map((event) => (event.type === "think" ? { ...event, type: "respond" } : event)),
          options,
        ),
    }),
  ],
  [
    "finds only events from before the first search",
    /just resolved/,
    (store) => {
      const known = new Map<string, Promise<Match[]>>();
      return {
        search(text, options) {
          const matches = known.get(text) ?? store.search(text, options);
          known.set(text, matches);
          return matches;
        },
      };
    },
  ],
  [
    "is one append behind",
    /just resolved/,
    (store) => {
      let last: [string, number] | undefined;
      return {
        async append(key, events, options) {
          const seq = await store.append(key, events, options);
          last = [key.conversation, seq];
          return seq;
        },
        async search(text, options) {
          const matches = await store.search(text, options);
          return matches.filter(({ conversation, seq }) => conversation !== last?.[0] || seq !== last[1]);
        },
      };
    },
  ],
  [
    "finds deleted events",
    /nothing of a deleted conversation/,
    (store) => {
      const deleted: Match[] = [];
      return {
        async delete(key) {
          deleted.push(...(await store.search("walnut", { user: undefined })));
          return store.delete(key);
        },
        search: async (text, options) => [...(await store.search(text, options)), ...deleted],
      };
    },
  ],
  [
    "does not find a new conversation with the name of a deleted one",
    /nothing of a deleted conversation/,
    (store) => {
      const indexed = new Map<string, number>();
      return {
        async search(text, options) {
          const matches = await store.search(text, options);
          const known = matches.filter(({ conversation, seq }) => seq > (indexed.get(conversation) ?? 0));
          for (const { conversation, seq } of matches) indexed.set(conversation, seq);
          return known.length > 0 ? matches : [];
        },
      };
    },
  ],
  [
    "reads punctuation as operators",
    /and no operator in it/,
    changing(async (search, text, options) => {
      if (/["*():&|!]/.test(text)) throw new StoreError("unavailable", "syntax error");
      return search(text, options);
    }),
  ],
  [
    "truncates long searches",
    /and no operator in it/,
    changing((search, text, options) => search(text.slice(0, 1_000), options)),
  ],
  [
    "finds every event for an empty text",
    /without words is empty/,
    changing(async (search, text, options) => search(/\p{L}/u.test(text) ? text : "walnut", options)),
  ],
  [
    "returns the whole passage as the excerpt",
    /excerpt has at most 300/,
    (store) => ({
      async search(text, options) {
        const excerpt = await textOf(store);
        return (await store.search(text, options)).map((match) => ({ ...match, excerpt }));
      },
    }),
  ],
  [
    "returns the start of the passage as the excerpt",
    /excerpt has at most 300/,
    (store) => ({
      async search(text, options) {
        const excerpt = (await textOf(store)).replaceAll(/[\s\p{Cc}]+/gu, " ").slice(0, 300);
        return (await store.search(text, options)).map((match) => ({ ...match, excerpt }));
      },
    }),
  ],
  [
    "splits characters of an excerpt",
    /excerpt has at most 300/,
    changing(async (search, text, options) =>
      (await search(text, options)).map((match) => ({ ...match, excerpt: `${match.excerpt.slice(0, 290)}\ud83d` })),
    ),
  ],
  ["searches a passage to its end", /the first 100,000 characters/, matching((text, word) => starts(text, word))],
];

describe("the kit notices a store that", () => notice(defects));

function starts(text: string, word: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${word.replaceAll(/[^\p{L}\p{N}]/gu, ".")}`, "u").test(text);
}

/** A store whose search changes the search of the store behind it. */
function changing(
  search: (behind: Store["search"], text: string, options: SearchOptions) => ReturnType<Store["search"]>,
) {
  return (store: Store): Partial<Store> => ({ search: (text, options) => search(store.search, text, options) });
}

/** A store that orders matches by another score. Equal scores keep their order, the latest first. */
function sorting(scoreOf: (match: Match, words: string[]) => number) {
  return changing(async (search, text, { limit = 20, ...options }) => {
    const matches = await search(text, { ...options, limit: 10_000 });
    const score = (match: Match) => scoreOf(match, text.split(" "));
    const latest = matches.toSorted((one, other) => other.seq - one.seq);
    return latest.toSorted((one, other) => score(other) - score(one)).slice(0, limit);
  });
}

/** A store that finds words by another rule. */
function matching(holds: (text: string, word: string) => boolean) {
  return (store: Store): Partial<Store> => ({
    async search(query) {
      const words = query.toLowerCase().split(/\s+/);
      const log = await store.load({ conversation: "c" });
      return log.flatMap((event): Match[] =>
        passagesOf(event)
          .filter(({ text }) => words.some((word) => holds(text.toLowerCase(), word)))
          .map(({ who, text }) => ({
            conversation: "c",
            seq: event.seq,
            timestamp: event.timestamp,
            who,
            excerpt: text.slice(0, 300),
            score: 1,
          })),
      );
    },
  });
}

async function textOf(store: Store): Promise<string> {
  const [event] = await store.load({ conversation: "c" });
  return event ? (passagesOf(event)[0]?.text ?? "") : "";
}
