import type { LogEvent } from "@cogency/protocol";
import { canonicalJson, sha256 } from "@cogency/tools/host";
import type { RunContext } from "../run-context.ts";

/**
 * The name of the conversation of an agent that a call starts: the same whenever the call runs, in any process. Calls of different
 * batches may have the same id, so the number of batches before it counts, too.
 *
 * @param events those of the conversation up to the call
 */
export async function childName(
  { conversation, user }: Pick<RunContext, "conversation" | "user">,
  call: string,
  events: readonly LogEvent[],
): Promise<string> {
  const batch = events.filter(({ type }) => type === "result").length;
  const hash = await sha256(canonicalJson({ user: user ?? null, conversation, batch, call }));
  return `subagent-${hash.slice(0, 40)}`;
}

/** Whether a conversation has a name as those of agents that a call has started: lists of a person's conversations leave it out. */
export function isChildName(conversation: string): boolean {
  return /^subagent-[0-9a-f]{40}$/.test(conversation);
}
