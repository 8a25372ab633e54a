import { compactNow, undoCompaction } from "@cogency/agent/history";
import type { LogEvent } from "@cogency/protocol";
import { priceOf } from "@cogency/provider";
import { summedUp } from "../../person/show/summed-up.ts";
import { compactsAt, knownWindow } from "../../work/compaction.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { SlashCommand } from "./slash-command.ts";

export const compactCommand: SlashCommand = {
  name: "compact",
  argument: "[what to keep|show|undo]",
  help: "sum up the earlier part of the conversation; show prints the summary, undo takes it back",
  complete: () => ["show", "undo"],
  run(conversation, argument) {
    if (argument === "undo") return undo(conversation);
    return argument === "show" ? show(conversation) : compact(conversation, argument);
  },
};

/** When the conversation is summed up without being asked to. */
export function compactionText({ session, state }: Pick<Conversation, "session" | "state">): string {
  if (session.choice.compact === false) return "the conversation is never summed up by itself (--no-compact)";
  const { window } = state;
  return window === undefined
    ? "the earlier part is summed up once the model refuses a request as too long (--context-window; /compact does it now)"
    : `the earlier part is summed up at ${Math.floor(compactsAt * window).toLocaleString("en")} of ${window.toLocaleString("en")} tokens (--context-window, --no-compact; /compact does it now)`;
}

async function compact(conversation: Conversation, instructions: string): Promise<void> {
  const { session, view } = conversation;
  const { model } = await session.open();
  const { provider, prices } = model;
  view.remark("Summing up the earlier part of the conversation …");
  const key = { conversation: session.conversation };
  const store = await session.store();
  const compacted = await compactNow(store, key, {
    provider,
    price: prices && priceOf(prices, provider.model),
    window: knownWindow(session.choice, model),
    ...(instructions !== "" && { instructions }),
  });
  if (!compacted) return view.remark("The conversation is too short to be summed up: nothing was changed.");
  await conversation.countAgain();
  conversation.usage.context = compacted.after;
  view.remark(`${summedUp(compacted)} /compact show prints the summary, /compact undo takes it back.`);
}

async function undo({ session, view }: Conversation): Promise<void> {
  const isUndone = await undoCompaction(await session.store(), { conversation: session.conversation });
  view.remark(
    isUndone
      ? "The summary is taken back: the model reads again what it stood for."
      : "There is no summary that could be taken back.",
  );
}

async function show({ session, view }: Conversation): Promise<void> {
  const { conversation } = session;
  const text = lastSummary(await (await session.store()).load({ conversation }));
  if (text === undefined) view.remark("The conversation was not summed up.");
  else view.text(text);
}

function lastSummary(log: readonly LogEvent[]): string | undefined {
  const last = log.findLast((event) => event.type === "record" && event.kind === "summary");
  const { upTo, text } = ((last?.type === "record" && last.data) || {}) as { upTo?: number; text?: string };
  return upTo ? text : undefined;
}
