import { expect, it } from "vitest";
import { compaction } from "../../src/history.ts";
import { summariesIn, talking, words } from "../history/support.ts";
import { conversation } from "../support/fixtures.ts";

const history = compaction({ window: 4000 });

it.each([
  ["does not ask for a summary that does not fit into what is left of the budget, and ends", 3500, "token_limit", 0],
  ["asks for a summary that fits", 20_000, undefined, 1],
])("%s", async (_, tokens, reason, summaries) => {
  const talker = talking((_, at) => `Answer ${at}. ${words(200)}<end>`, { history });
  const ask = (budget?: { tokens: number }) =>
    talker.ask(`Go on. ${words(200)}`, { conversation, ...(budget && { budget }) });
  while (talker.summaries().length === 0 && talker.steps().length < 7) await ask();
  expect(talker.summaries()).toHaveLength(0);
  const result = await ask({ tokens });
  expect(result.stop?.reason).toBe(reason);
  expect(result.status).toBe(reason ? "stopped" : "completed");
  expect(talker.summaries()).toHaveLength(summaries);
  expect(talker.steps()).toHaveLength(7 + summaries);
  expect(summariesIn(await talker.log())).toHaveLength(summaries);
  if (reason) expect(result.stop).toMatchObject({ context: { totalTokens: 0, maxTotalTokens: tokens } });
});
