import type { Json } from "@cogency/protocol";
import { canonicalJson } from "@cogency/tools/host";
import { playConversation } from "../play/play-conversation.ts";
import { isPlayError } from "../play/play-error.ts";
import type { MakeAgent } from "../play/play-parts.ts";
import { agentFromPlan } from "./agent-from-plan.ts";
import type { TestPlan } from "./test-plan.ts";
import { UnwritableTestError } from "./unwritable.ts";

/**
 * Plays a test before it is written.
 *
 * @param make the agent of the test; that of the plan by default
 * @throws UnwritableTestError `differs` if it would fail
 */
export async function checkPlan(plan: TestPlan, make: MakeAgent | undefined, runTools: boolean): Promise<void> {
  const { agent, turns, writes, provider, model, requests } = plan;
  if (!make && !agent) return;
  const makeAgent: MakeAgent = make ?? ((parts) => agentFromPlan(agent as NonNullable<typeof agent>, writes, parts));
  const play = playConversation(makeAgent, { writes, provider, model, runTools, ...(requests && { requests }) });
  const who = make ? "The given agent" : "The agent that was made from the log";
  for (const [index, { inputs, steps, expected }] of turns.entries()) {
    const number = index + 1;
    const fail = (what: string): never => {
      const advice = make ? "" : " Give the agent that had the conversation, with --agent ./src/agent.ts#makeAgent.";
      const rest = index > 0 ? ` The turns before it can be a test: --turns ${index}` : "";
      throw new UnwritableTestError(
        "differs",
        `${who} does something else in turn ${number}: ${what}${advice}${rest}`,
        number,
      );
    };
    const done = await play.turn(inputs, steps).catch((error: unknown) => {
      if (isPlayError(error)) return fail(error.message);
      throw error;
    });
    const texts = [expected, done].map((turn) => canonicalJson(JSON.parse(JSON.stringify(turn)) as Json));
    if (texts[0] !== texts[1]) fail(`recorded ${texts[0]}, now ${texts[1]}.`);
  }
  play.end();
}
