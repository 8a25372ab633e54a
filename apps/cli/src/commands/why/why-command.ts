import { type NumberedEvent, type WhyCall, whyCall, whyRequest } from "@cogency/protocol/why";
import type { Price } from "@cogency/provider";
import { type Prices, priceOf } from "@cogency/provider";
import type { Key } from "@cogency/storage";
import type { KeyRing } from "@cogency/tools";
import { answerStatement } from "@cogency/tools/host";
import { UsageError } from "../../base/errors/usage-error.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { oneLine, widthOr } from "../../base/terminal/text.ts";
import { readPrices } from "../../place/config/read-prices.ts";
import { existingKeys } from "../../place/installation-keys.ts";
import { findConversation } from "../../place/store/find-conversation.ts";
import { unknownConversation } from "../../place/store/unknown-conversation.ts";
import { type HistoryOptions, readHistory } from "../../place/store/with-history.ts";
import { instructionSections } from "../../work/context/prompt-sections.ts";
import { callRows } from "./call-rows.ts";
import { requestRows } from "./request-rows.ts";

export interface WhyCommandOptions extends HistoryOptions {
  /** The file with them, or what the configuration says. */
  prices?: string | Prices;
  json?: true;
}

/**
 * `cogency why`: what made a request, and what broke the cached prefix; or what led to a call.
 *
 * @param wanted the conversation
 * @param what the number of an event, or the id of a call; the last request if absent
 * @throws UsageError if there is no such conversation or event, or the prices cannot be read
 */
export async function whyCommand(wanted: string, what: string | undefined, options: WhyCommandOptions): Promise<void> {
  const { store: place, user, json, prices: given } = options;
  const prices = typeof given === "string" ? readPrices(given) : given;
  const { conversation, events } = await readHistory(options, async (store) => {
    const conversation = await findConversation(wanted, store, place, user);
    const events = await store.load({ conversation, user });
    if (events.length === 0) throw await unknownConversation({ conversation, user }, store, place);
    return { conversation, events };
  });
  const width = widthOr(process.stdout, 80);
  const seq = what === undefined ? lastRequest(events) : numberOf(what);
  const request = seq === undefined ? undefined : whyRequest(events, seq, { sections: instructionSections });
  if (request) {
    const lostCost = costOf(request.prefix.lost, prices && priceOf(prices, request.model));
    if (json) return putLine({ type: "request", ...request, ...(lostCost !== undefined && { lostCost }) });
    return put(`${requestRows(request, { width, lostCost }).join("\n")}\n`);
  }
  const call = what === undefined ? undefined : (whyCall(events, what) ?? (seq && whyCall(events, seq)) ?? undefined);
  if (!call) throw new UsageError(missingText(what, events));
  const ours = await verified(call, { conversation, user }, await existingKeys());
  if (json) return putLine({ type: "call", ...call, verified: [...ours] });
  await put(`${callRows(call, { width, ours }).join("\n")}\n`);
}

function lastRequest(events: readonly NumberedEvent[]): number | undefined {
  return events.findLast((event) => event.type === "record" && event.kind === "request")?.seq;
}

function numberOf(what: string): number | undefined {
  return /^\d{1,9}$/.test(what) ? Number(what) : undefined;
}

function missingText(what: string | undefined, events: readonly NumberedEvent[]): string {
  if (what === undefined)
    return "The conversation has no record of a request. Name a call by its number or its id: cogency why <conversation> <event>.";
  const found = events.find(({ seq }) => seq === numberOf(what));
  if (!found)
    return `The conversation has no event and no call "${oneLine(what, 60)}". It has events 1 to ${events.at(-1)?.seq}.`;
  const kind = found.type === "record" ? `a record ${oneLine(found.kind, 30)}` : `of the type ${found.type}`;
  return `Event ${found.seq} is ${kind}, which is neither a request nor about a call.`;
}

/** What it cost that a cache could not serve these tokens; undefined without prices. */
function costOf(tokens: number, price: Price | undefined): number | undefined {
  if (!price) return undefined;
  const { input, cacheRead = input } = price;
  return (tokens * (input - cacheRead)) / 1e6;
}

/** The numbers of the answers that this installation has signed. */
async function verified(call: WhyCall, key: Key, keyRing: KeyRing | undefined): Promise<ReadonlySet<number>> {
  const ours = new Set<number>();
  for (const { answer, asks } of call.questions) {
    if (!answer || asks !== "approval" || !keyRing) continue;
    const { proof, ...record } = answer.record as unknown as Parameters<typeof answerStatement>[1] & { proof?: never };
    if (await keyRing.verify(answerStatement(key, record), proof).catch(() => false)) ours.add(answer.seq);
  }
  return ours;
}
