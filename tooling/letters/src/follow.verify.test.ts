import { join } from "node:path";
import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Reader } from "./processes/start-reader.ts";
import { follow, isOver, newFolder, start } from "./processes/until-finished.ts";
import { problemsOf } from "./screens/check-screens.ts";
import { post, readEvents } from "./screens/read-events.ts";
import { textOf, wordsOf } from "./screens/words.ts";

const title =
  "show the same run letter by letter to their readers: at no moment one contradicts the other or the log, and both end as the log";

describe("two servers on one SQLite file, and a worker", () => {
  it(title, () => followOneRun(join(newFolder(), "store.db")));
});

describePostgres("two servers on one PostgreSQL database, and a worker", () => {
  it(title, async () => {
    const { url, drop } = await createDatabase(postgresUrl());
    onTestFinished(drop);
    await followOneRun(url);
  });
});

async function followOneRun(place: string): Promise<void> {
  const pace = { pause: 30, words: 60 };
  const [a, b] = await Promise.all([start({ place, pace, serves: true }), start({ place, pace, serves: true })]);
  await start({ place, pace, works: true });
  const readers = [follow(a.url), follow(b.url)];
  await Promise.all(readers.map((reader) => reader.shows(({ status }) => status === "idle")));
  expect(await post(a.url, "c", "Write.")).toBe(202);
  await Promise.all(readers.map((reader) => reader.shows(({ parts }) => wordsOf(parts).length > 20)));
  const late = follow(b.url);
  await Promise.all([...readers, late].map((reader) => reader.shows(isOver)));

  const events = await readEvents(a.url, "c");
  for (const { screens } of [...readers, late]) {
    expect(problemsOf(screens, { events })).toEqual([]);
    const lengths = new Set(screens.map(({ parts }) => textOf(parts).length));
    expect(lengths.size).toBeGreaterThan(40);
  }
  expect(compareAtMoments(readers, 20)).toEqual([]);
}

/** What is wrong at so many moments between the first letter and the last: one of two readers may be ahead. */
function compareAtMoments([one, other]: readonly Reader[], count: number): string[] {
  const begun = [one, other].map((reader) => reader?.screens.find(({ parts }) => textOf(parts) !== "")?.at ?? 0);
  const ended = [one, other].map((reader) => reader?.screens.at(-1)?.at ?? 0);
  const [from, to] = [Math.max(...begun), Math.min(...ended)];
  return Array.from({ length: count }, (_, index) => {
    const at = from + ((to - from) * index) / (count - 1);
    const [first = "", second = ""] = [one, other].map((reader) =>
      textOf(reader?.screens.findLast((screen) => screen.at <= at)?.parts ?? []),
    );
    return first.startsWith(second) || second.startsWith(first) ? [] : [`${index}: ${first} | ${second}`];
  }).flat();
}
