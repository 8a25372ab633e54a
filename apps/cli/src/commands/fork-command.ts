import { inPlainWords } from "../base/errors/in-plain-words.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { note, noteCommand } from "../base/terminal/note.ts";
import { put } from "../base/terminal/output.ts";
import { oneLine, visible } from "../base/terminal/text.ts";
import { resumeCommand } from "../person/show/resume-command.ts";
import { findConversation, scopeIn } from "../place/store/find-conversation.ts";
import { withHistory } from "../place/store/with-history.ts";
import { agentWithoutModel } from "../work/agent-without-model.ts";
import { pointOf } from "../work/points/point-of.ts";
import { forkConversation } from "../work/undo/fork-conversation.ts";

export interface ForkCommandOptions {
  store: string;
  /** Where the fork begins, as `pointOf` reads it; all if absent. */
  at?: string;
  /** The name of the fork. */
  as?: string;
}

/**
 * `cogency fork`: begins a conversation with the first events of another one, and prints its name.
 *
 * @throws UsageError for a conversation or a point that there is not, a point between a call and its result, and a name that is taken
 */
export function forkCommand(wanted: string, { store: place, at: point, as }: ForkCommandOptions): Promise<void> {
  return withHistory({ store: place }, async (store) => {
    const conversation = await findConversation(wanted, store, place);
    const at = point === undefined ? undefined : pointOf(point, await store.load({ conversation }));
    const agent = await agentWithoutModel(store, await scopeIn(conversation, store));
    const forking = forkConversation(conversation, { at, as }, { agent, store, place });
    const { fork, problem } = await forking.catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
      throw new UsageError(oneLine(inPlainWords(error.message), 300));
    });
    await put(`${visible(fork)}\n`);
    if (problem !== undefined) note(problem);
    noteCommand(resumeCommand(fork, place));
  });
}
