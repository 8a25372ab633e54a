import type { Cancellation } from "../base/cancellation.ts";
import { exitCodes } from "../base/errors/exit-code.ts";
import { UsageError } from "../base/errors/usage-error.ts";
import type { Options } from "../place/config/option-table.ts";
import { changedOptions, type TypedOptions } from "../place/config/typed-words.ts";
import { namedProvider } from "../work/provider/named-provider.ts";
import type { Chat, ChatOptions } from "./chat.ts";
import type { SessionChoice } from "./conversation/chat-session.ts";
import type { PlainChat } from "./plain/plain-chat.ts";

export interface ChatCommandOptions extends SessionChoice, Options<"conversation" | "continue" | "notify" | "plain"> {
  /** The conversation to go on with; true for one that is picked. */
  resume?: string | true;
  /** The options that were typed, for the command that goes on. */
  typed?: TypedOptions;
}

/**
 * `cogency chat`, and `cogency` alone at a terminal. What needs the agent and the store is loaded when the first frame is painted.
 *
 * @returns the exit code
 * @throws UsageError without a terminal, for a conversation that cannot be found, or if the person chooses no model
 */
export async function chatCommand(
  first: string | undefined,
  given: ChatCommandOptions,
  cancellation: Cancellation,
): Promise<number> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError('A chat needs a terminal. Without one: cogency "what to do".');
  const resume = given.resume === true ? await picked(given.store) : given.resume;
  if (given.resume !== undefined && resume === undefined) return exitCodes.SIGINT;
  const options = await withModel(given);
  const chat = await chatFor(options.plain === true || process.env.TERM === "dumb", {
    choice: options,
    conversation: () => conversationFor(options, resume),
    notify: options.notify,
  });
  process.on("uncaughtException", (error) => void crashed(error, chat, options));
  await cancellation.during((signal) => chat.run(first, signal));
  const { commandsEnded } = await import("@cogency/toolbox/shell");
  await commandsEnded();
  await tellHowToResume(chat, options);
  return cancellation.exitCode;
}

/** The options with a model that can be asked: where none is named, the person is offered what there is. */
async function withModel(options: ChatCommandOptions): Promise<ChatCommandOptions> {
  if (options.provider !== undefined || options.baseUrl !== undefined) return options;
  // Kept keys name no fewer, and reading them takes longer.
  if (namedProvider(options, process.env).provider !== undefined) return options;
  const { readApiKeys } = await import("../place/api-keys.ts");
  const named = namedProvider(options, { ...(await readApiKeys()), ...process.env });
  if (named.provider !== undefined) return options;
  const { offerModel } = await import("./offer-model.ts");
  const terminal = { input: process.stdin, output: process.stdout };
  const { model, ...offered } = await offerModel(named, options.model, terminal);
  const { model: before, ...rest } = options;
  const choice = { ...offered, ...(model !== undefined && { model }) };
  return { ...rest, ...choice, typed: { ...options.typed, model, ...choice } };
}

async function chatFor(isPlain: boolean, options: ChatOptions): Promise<AnyChat> {
  if (isPlain) return new (await import("./plain/plain-chat.ts")).PlainChat(options);
  return new (await import("./chat.ts")).Chat(options);
}

type AnyChat = Chat | PlainChat;

async function picked(store: string): Promise<string | undefined> {
  const { pickConversation } = await import("../person/pick-conversation.ts");
  return pickConversation(store);
}

/** Finds the conversation to go on with, else makes a name. @throws UsageError also where the mode cannot be used */
async function conversationFor(options: ChatCommandOptions, resume: string | undefined): Promise<string> {
  const { conversation, root, ephemeral } = options;
  await (await import("../work/check-mode.ts")).checkMode(options);
  if (resume === undefined && !options.continue) return conversation ?? crypto.randomUUID();
  const [{ openStore }, { findConversation, latestIn }, { scopeOf }] = await Promise.all([
    import("../place/store/open-store.ts"),
    import("../place/store/find-conversation.ts"),
    import("../base/scope-of.ts"),
  ]);
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

async function tellHowToResume({ conversation }: AnyChat, begun: ChatCommandOptions): Promise<void> {
  if (!conversation) return;
  const { resumeCommand } = await import("../person/show/resume-command.ts");
  const { noteCommand } = await import("../base/terminal/note.ts");
  noteCommand(
    resumeCommand(conversation.name, conversation.place, {
      ...begun.typed,
      ...changedOptions({ ...begun }, { ...conversation.choice }),
    }),
  );
}

/** Leaves the terminal as it was, and says what failed and how the conversation goes on: all of it is in the store. */
async function crashed(error: unknown, chat: AnyChat, begun: ChatCommandOptions): Promise<void> {
  try {
    chat.close();
    const { complain } = await import("../base/errors/message-of.ts");
    complain(error);
    await tellHowToResume(chat, begun);
  } finally {
    process.exit(1);
  }
}
