import type { LogEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { type MatchCandidate, rankMatches } from "./rank-matches.ts";
import { searchWords } from "./words.ts";

const said = (content: string): LogEvent => ({ type: "user", content, timestamp: 1 });
const returned = (...contents: string[]): LogEvent => ({
  type: "result",
  content: JSON.stringify(contents.map((content, index) => ({ tool: `tool${index}`, status: "success", content }))),
  payload: { tools_executed: contents.length, success_count: contents.length, failure_count: 0 },
  timestamp: 1,
});

/** Numbers the events from 1 and passes them the latest first, like an adapter. */
function candidates(...events: LogEvent[]): MatchCandidate[] {
  return events.map((event, index) => ({ conversation: "c", event: { ...event, seq: index + 1 } })).toReversed();
}

function ranked(query: string, ...events: LogEvent[]): number[] {
  return rankMatches(searchWords(query), candidates(...events), Number.POSITIVE_INFINITY).map(({ seq }) => seq);
}

describe("rankMatches", () => {
  it.each<[rule: string, query: string, events: LogEvent[], order: number[]]>([
    ["more words first", "walnut cake", [said("walnut cake"), said("walnut"), said("cake")], [1, 3, 2]],
    ["the rarer word first", "walnut cake", [said("cake"), said("walnut"), said("walnut")], [1, 3, 2]],
    ["what was said first", "walnut", [said("walnut"), returned("walnut")], [1, 2]],
    ["the latest first among equals", "walnut", [said("walnut a"), said("walnut b"), said("walnut c")], [3, 2, 1]],
    [
      "a word that stands only after thousands of others counts",
      "walnut cake",
      [said(`${"walnut ".repeat(2_000)}cake`), said("walnut")],
      [1, 2],
    ],
    ["a word of any length is found", "x".repeat(90_000), [said("x".repeat(95_000)), said("x".repeat(80_000))], [1]],
    [
      "a repeated word counts once",
      "walnut",
      [said("walnut"), said("walnut walnut walnut"), said("walnut")],
      [3, 2, 1],
    ],
    ["an event without a word is no match", "walnut", [said("walnut"), said("wall"), said("")], [1]],
    ["a search without a word has no match", "*", [said("*")], []],
  ])("orders by the rule: %s", (_, query, events, order) => expect(ranked(query, ...events)).toEqual(order));

  it("ranks and excerpts an event by its best passage", () => {
    const [match] = rankMatches(searchWords("walnut cake"), candidates(returned("walnut", "a walnut cake", "cake")), 1);
    expect(match).toMatchObject({ who: "tool", tool: "tool1", excerpt: "a walnut cake" });
  });

  it("returns at most `limit` matches, each with a score above 0", () => {
    const matches = rankMatches(searchWords("walnut"), candidates(said("walnut"), said("walnut")), 1);
    expect(matches).toHaveLength(1);
    expect(matches[0]?.score).toBeGreaterThan(0);
  });

  it("ranks a passage with a hundred thousand matching words quickly", () => {
    const words = Array.from({ length: 32 }, (_, index) => `w${index}`).join(" ");
    const text = `${words} `.repeat(3_000);
    expect(ranked(words, said(text), said("w1"))).toEqual([1, 2]);
  });
});
