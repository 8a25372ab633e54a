import { commandsEnded } from "@cogency/toolbox";
import type { Cancellation } from "../../cancellation.ts";
import { Chat } from "../../chat/chat.ts";
import type { SessionChoice } from "../../chat/session.ts";
import { exitCodes } from "../../errors/exit-code.ts";
import { UsageError } from "../../errors/usage-error.ts";
import { pickConversation } from "../../picker/pick-conversation.ts";
import { scopeOf } from "../../setup/scope-of.ts";
import { findConversation, latestIn } from "../../setup/store/find-conversation.ts";
import { openStore } from "../../setup/store/open-store.ts";
import { resumeCommand } from "../../show/resume-command.ts";
import { note } from "../../terminal/note.ts";

export interface ChatCommandOptions extends SessionChoice {
  conversation?: string;
  /** The conversation to go on with; true for one that is picked. */
  resume?: string | true;
  continue?: true;
  notify?: true;
}

/**
 * `cogency chat`, and `cogency` alone at a terminal.
 *
 * @returns the exit code
 * @throws UsageError without a terminal, or for a conversation that cannot be found
 */
export async function chatCommand(
  first: string | undefined,
  options: ChatCommandOptions,
  cancellation: Cancellation,
): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError('A chat needs a terminal. Without one: cogency "what to do".');
  const resume = options.resume === true ? await pickConversation(options.store) : options.resume;
  if (options.resume !== undefined && resume === undefined) return exitCodes.SIGINT;
  const conversation = await conversationFor(options, resume);
  const chat = new Chat({ choice: options, conversation, notify: options.notify === true });
  await cancellation.during((signal) => chat.run(first, signal));
  await commandsEnded();
  if (chat.session.place !== ":memory:" && chat.usage.input > 0)
    note(resumeCommand(chat.session.conversation, chat.session.place));
  return cancellation.exitCode ?? exitCodes.done;
}

/** Finds the conversation to go on with, else makes a name. */
async function conversationFor(options: ChatCommandOptions, resume: string | undefined): Promise<string> {
  const { conversation, root, ephemeral } = options;
  if (resume === undefined && !options.continue) return conversation ?? crypto.randomUUID();
  const place = ephemeral ? ":memory:" : options.store;
  const store = await openStore(place);
  try {
    if (resume !== undefined) return await findConversation(resume, store, place);
    const latest = await latestIn(scopeOf(root), store);
    if (latest !== undefined) return latest;
    throw new UsageError("No conversation was begun in this folder yet. Leave --continue out to begin one.");
  } finally {
    await store.close();
  }
}
