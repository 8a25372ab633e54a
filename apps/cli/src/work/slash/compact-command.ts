import { compactNow, summaryOf, undoCompaction } from "@cogency/agent/history";
import { priceOf } from "@cogency/provider";
import { summedUp } from "../../person/show/summed-up.ts";
import { compactsAt, knownWindow } from "../compaction.ts";
import { turnsOf } from "../undo/turns.ts";
import type { CommandDesk, SharedCommand } from "./shared-command.ts";

export const compactCommand: SharedCommand = {
  name: "compact",
  argument: "[what to keep|show|undo]",
  help: "sum up the earlier part of the conversation; show prints the summary, undo takes it back",
  complete: () => ["show", "undo"],
  run(conversation, argument) {
    if (argument === "undo") return takeSummaryBack(conversation.session.conversation, conversation);
    return argument === "show" ? show(conversation) : compact(conversation, argument);
  },
};

/** When the conversation is summed up without being asked to. */
export function compactionText({ session, state }: Pick<CommandDesk, "session" | "state">): string {
  if (session.choice.compact === false) return "the conversation is never summed up by itself (--no-compact)";
  const { window } = state;
  return window === undefined
    ? "the earlier part is summed up once the model refuses a request as too long (--context-window; /compact does it now)"
    : `the earlier part is summed up at ${Math.floor(compactsAt * window).toLocaleString("en")} of ${window.toLocaleString("en")} tokens (--context-window, --no-compact; /compact does it now)`;
}

async function compact(conversation: CommandDesk, instructions: string): Promise<void> {
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
  await conversation.countAgain(compacted.after);
  view.remark(`${summedUp(compacted)} /compact show prints the summary, /compact undo takes it back.`);
}

/** Takes the last summary of a conversation back, and says which turns the model reads again. */
export async function takeSummaryBack(
  name: string,
  { session, view }: Pick<CommandDesk, "session" | "view">,
): Promise<void> {
  const store = await session.store();
  const key = { conversation: name };
  const log = await store.load(key);
  const before = summaryOf(log)?.upTo ?? 0;
  if (!(await undoCompaction(store, key))) return view.remark("There is no summary that could be taken back.");
  const left = summaryOf(await store.load(key))?.upTo ?? 0;
  const again = turnsOf(log).filter(({ at }) => at >= left && at < before);
  const [first, last] = [again[0]?.number, again.at(-1)?.number];
  const turns = first === undefined ? "" : first === last ? `, turn ${first}` : `, turns ${first} to ${last}`;
  view.remark(`The summary is taken back: the model reads again what it stood for${turns}.`);
}

async function show({ session, view }: Pick<CommandDesk, "session" | "view">): Promise<void> {
  const { conversation } = session;
  const text = summaryOf(await (await session.store()).load({ conversation }))?.text;
  if (text === undefined) view.remark("The conversation was not summed up.");
  else view.text(text);
}
