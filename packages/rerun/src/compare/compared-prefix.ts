import { type Json, type MessageForm, type ModelMessage, type RecordEvent, toMessages } from "@cogency/protocol";
import type { StoredEvent } from "@cogency/storage";
import { canonicalJson, sha256 } from "@cogency/tools/host";

/** How the first request of a variant compares with the recorded one in its place. */
export interface ComparedPrefix {
  /** How many messages the request of the variant holds. */
  readonly messages: number;
  /** SHA-256 of their canonical JSON: 64 hexadecimal digits. */
  readonly hash: string;
  /** How its driver writes messages; undefined for one that makes others than the log holds. */
  readonly form: MessageForm | undefined;
  /** Whether they are, byte for byte, those of the recorded conversation in this form. */
  readonly same: boolean;
  /** Where they are not: the index of the first message that differs. */
  readonly firstDifference?: number;
  /**
   * Whether the record of the recorded request has the hash of these messages: `differs` shows that the log was changed after it was
   * written. `none` if the log has no record of the request, or its driver made messages that the log does not hold.
   */
  readonly record: "agrees" | "differs" | "none";
  /** The other parts that differ from the record of the recorded request. Undefined if one of both requests has no record. */
  readonly differs: readonly ComparedPart[] | undefined;
}

export type ComparedPart = "driver" | "provider" | "model" | "settings" | "form" | "system" | "tools";

type RequestData = Extract<RecordEvent, { kind: "request" }>["data"];

/**
 * @param log the recorded conversation
 * @param cut how many of its events the variant begins with
 * @param sent the messages of the variant's first request
 * @param own the events that the variant has appended
 */
export async function comparedPrefix(
  log: readonly StoredEvent[],
  cut: number,
  sent: readonly ModelMessage[],
  own: readonly StoredEvent[],
): Promise<ComparedPrefix> {
  const prefix = log.slice(0, cut);
  const [recorded, variant] = [requestIn(log.slice(cut)), requestIn(own)];
  const text = spelled(sent);
  const shown = variant ? [shownBy(variant)] : forms.map((form) => ({ form, without: [] }));
  const candidates = shown.flatMap(({ form, without }) => {
    if (!form) return [];
    const messages = toMessages(prefix, { form, without });
    return [{ form, messages, same: spelled(messages) === text }];
  });
  const best = candidates.find(({ same }) => same) ?? candidates[0];
  const isSame = best?.same === true;
  const firstDifference = isSame || !best ? undefined : firstOther(sent, best.messages);
  return {
    messages: sent.length,
    hash: await sha256(text),
    form: isSame || variant ? best?.form : undefined,
    same: isSame,
    ...(firstDifference !== undefined && { firstDifference }),
    record: recorded ? await agreement(recorded, prefix) : "none",
    differs: recorded && variant ? differentParts(recorded, variant) : undefined,
  };
}

const forms: readonly MessageForm[] = ["json", "xml", "native", "react"];

/** The record before the first words of the model. A log from elsewhere may hold one without data. */
export function requestIn(events: readonly StoredEvent[]): RequestData | undefined {
  for (const event of events) {
    if (event.type !== "record" && event.type !== "user") return undefined;
    if (event.type === "record" && event.kind === "request") return isRequest(event.data) ? event.data : undefined;
  }
  return undefined;
}

function isRequest(data: unknown): data is RequestData {
  const { messages, hashes } = (data ?? {}) as Partial<RequestData>;
  return typeof messages === "object" && messages !== null && typeof hashes === "object" && hashes !== null;
}

function shownBy({ messages: { form, without } }: RequestData): { form: MessageForm | undefined; without: string[] } {
  return {
    form: forms.find((one) => one === form),
    without: Array.isArray(without) ? without.filter((id) => typeof id === "string") : [],
  };
}

/** Compares a record with the messages that its log gives. */
async function agreement(recorded: RequestData, prefix: readonly StoredEvent[]): Promise<ComparedPrefix["record"]> {
  const { form, without } = shownBy(recorded);
  if (!form) return "none";
  const messages = toMessages(prefix, { form, without });
  const { count, again, hash } = recorded.messages;
  const isWhole = count === messages.length && again >= 0 && again <= count;
  return isWhole && (await sha256(spelled(messages.slice(again)))) === hash ? "agrees" : "differs";
}

function differentParts(recorded: RequestData, variant: RequestData): ComparedPart[] {
  const parts: readonly (readonly [ComparedPart, (data: RequestData) => unknown])[] = [
    ["driver", ({ driver }) => driver],
    ["provider", ({ provider }) => provider],
    ["model", ({ model }) => model],
    ["settings", ({ settings }) => settings],
    ["form", ({ messages }) => messages.form],
    ["system", ({ hashes }) => hashes.system],
    ["tools", ({ hashes }) => hashes.tools],
  ];
  return parts.flatMap(([part, read]) => (spelled(read(recorded)) === spelled(read(variant)) ? [] : [part]));
}

function firstOther(sent: readonly ModelMessage[], expected: readonly ModelMessage[]): number {
  const other = sent.findIndex((message, index) => spelled(message) !== spelled(expected[index]));
  return other === -1 ? sent.length : other;
}

/** The text that hashes are made of. */
function spelled(value: unknown): string {
  return canonicalJson(value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json));
}
