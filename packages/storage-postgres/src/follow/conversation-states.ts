import type { Database } from "../database/database.ts";
import { arrayLiteral } from "../database/quote.ts";

/**
 * Reads what distinguishes a conversation from what it was before an append, a post or a `delete`; with `posts`, before a post
 * or a `delete`. All that is asked for at one time is one statement.
 */
export type ReadState = (key: Buffer) => Promise<string>;

export function conversationStates({ schema, run }: Database, of: "all" | "posts"): ReadState {
  // A message leaves the inbox only with an append, so no two changes together leave all three as they were.
  const state = { all: "concat_ws(' ', c.id, c.events, i.unread)", posts: "concat_ws(' ', c.id, i.messages)" };
  const statement = `SELECT encode(c.key, 'hex'), ${state[of]}
    FROM ${schema}.conversations c, LATERAL (
      SELECT count(*) AS unread, md5(string_agg(i.seq::text, ' ' ORDER BY i.seq)) AS messages
      FROM ${schema}.inbox i WHERE i.conversation = c.id AND i.message IS NOT NULL
    ) i
    WHERE c.key = ANY ($1::bytea[]) AND c.events + i.unread > 0`;
  let asked = new Set<string>();
  let answer: Promise<Map<string, string>> | undefined;

  return async (key) => {
    const name = key.toString("hex");
    asked.add(name);
    answer ??= readSoon();
    return (await answer).get(name) ?? "absent";
  };

  async function readSoon(): Promise<Map<string, string>> {
    await new Promise((resolve) => setImmediate(resolve));
    const names = [...asked];
    asked = new Set();
    answer = undefined;
    const rows = await run(statement, [arrayLiteral(names.map((name) => `\\x${name}`))]);
    return new Map(rows.map(([name, state]) => [String(name), String(state)]));
  }
}
