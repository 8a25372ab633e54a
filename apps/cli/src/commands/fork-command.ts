import type { Store } from "@cogency/storage";
import { inPlainWords } from "../base/errors/in-plain-words.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import { note, noteCommand } from "../base/terminal/note.ts";
import { put } from "../base/terminal/output.ts";
import { counted, oneLine, visible } from "../base/terminal/text.ts";
import { resumeCommand } from "../person/show/resume-command.ts";
import { findConversation, scopeIn } from "../place/store/find-conversation.ts";
import { withHistory } from "../place/store/with-history.ts";
import { agentWithoutModel } from "../work/agent-without-model.ts";
import { carryCopies } from "../work/undo/carry-copies.ts";

export interface ForkCommandOptions {
  store: string;
  /** How many events the fork begins with, such as `12`, or `message:3` for all that was before the third message of the person. */
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
    const at = point === undefined ? undefined : await eventsUpTo(point, conversation, store);
    const agent = await agentWithoutModel(store, await scopeIn(conversation, store));
    const fork = await agent.fork(conversation, { at, as }).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error;
      throw new UsageError(oneLine(inPlainWords(error.message), 300));
    });
    const problem = await carryCopies(conversation, fork, store, place);
    await put(`${visible(fork)}\n`);
    if (problem !== undefined) note(problem);
    noteCommand(resumeCommand(fork, place));
  });
}

async function eventsUpTo(point: string, conversation: string, store: Store): Promise<number> {
  const [, message, events] = /^(?:message:([1-9]\d{0,8})|([1-9]\d{0,8}))$/.exec(point) ?? [];
  if (events !== undefined) return Number(events);
  if (message === undefined)
    throw new UsageError("--at is a number of events, such as 12, or message:3 for all before the third message.");
  const said = (await store.load({ conversation }, { types: ["user"] })).filter(
    (event) => event.type === "user" && event.origin === undefined,
  );
  const found = said[Number(message) - 1];
  if (!found) throw new UsageError(`--at: the conversation has ${counted(said.length, "message")} of a person.`);
  if (message === "1")
    throw new UsageError("--at message:1 leaves nothing: the fork holds what was before that message.");
  return found.seq - 1;
}
