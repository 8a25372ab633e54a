import type { Measure } from "../events.ts";
import { type BreakKind, type Compared, causeOf } from "./break-cause.ts";
import { differentLine } from "./different-line.ts";
import { fieldsOf, type NumberedEvent } from "./numbered-event.ts";
import { attachmentsOf, type RequestPart, requestParts } from "./request-parts.ts";
import { formOf, isRequest, messagesOf, type SentRequest, sentRequest } from "./sent-request.ts";
import type { SystemSection } from "./system-sections.ts";

/** How a request begins, compared with one before it. */
export interface PrefixBreak {
  /**
   * The number of the request that it is compared with: the last one that went to the same provider and model in the hour before, else the
   * last one; undefined for the first one.
   */
  readonly before: number | undefined;
  /** The number of the request directly before, where that one went to another provider or model and is not compared. */
  readonly skipped?: number | undefined;
  /** `first`: there is none before. `grew`: it begins with all of the one before. `unknown`: the log does not hold enough to say. */
  readonly state: "first" | "grew" | "broken" | "unknown";
  /** What broke it; only where it is broken. */
  readonly kind?: BreakKind;
  /** One sentence about it. It holds texts of the log. */
  readonly why: string;
  /** The first part that differs, in this request and in the one before. Undefined where one of them has ended there. */
  readonly part?: RequestPart | undefined;
  readonly partBefore?: RequestPart | undefined;
  /** The first line that differs, as it was and as it is; only of a text. */
  readonly line?: { readonly before: string; readonly now: string } | undefined;
  /** What both have at the beginning. Tokens are estimated. */
  readonly same: { readonly characters: number; readonly tokens: number };
  /** Estimated tokens that the request before had sent behind that point: a cache could have held them. */
  readonly lost: number;
  /** Seconds since the request that it is compared with. Servers forget after some minutes. */
  readonly seconds?: number;
  /** What the step of this request used, as the server counted; undefined where the log does not say. */
  readonly usage?: Measure | undefined;
}

/**
 * Compares a request with one before it in the log, in the order in which servers read them: tools, system prompt, messages. Undefined if
 * there is no record of a request with this number.
 */
export function prefixBreak(
  log: readonly NumberedEvent[],
  seq: number,
  sections: readonly SystemSection[] = [],
): PrefixBreak | undefined {
  const now = sentRequest(log, seq);
  if (!now) return undefined;
  const usage = usageOf(log, seq);
  const last = log.findLast((event) => event.seq < seq && isRequest(event));
  const record = sameModelBefore(log, now) ?? last;
  const before = record && sentRequest(log, record.seq);
  if (!before)
    return { before: undefined, state: "first", why: "It is the first request.", same: nothing, lost: 0, usage };
  const common = { before: before.seq, seconds: now.timestamp - before.timestamp, usage };
  const parts = requestParts(now, log, sections);
  const partsBefore = requestParts(before, log, sections);
  const compared = compare({ request: before, parts: partsBefore }, { request: now, parts }, log);
  if (last === record || !isRequest(last)) return { ...common, ...compared };
  const why = `${compared.why} Request ${last.seq}, directly before, went to ${modelOf(last.data)}.`;
  return { ...common, ...compared, why, skipped: last.seq };
}

/** The last request that went to the same provider and model, as long as a server may still hold what it had sent. */
function sameModelBefore(
  log: readonly NumberedEvent[],
  { seq, timestamp, data }: SentRequest,
): NumberedEvent | undefined {
  const model = modelOf(data);
  return log.findLast(
    (event) =>
      event.seq < seq &&
      isRequest(event) &&
      modelOf(event.data) === model &&
      timestamp - event.timestamp <= longestCache,
  );
}

/** Seconds. Servers keep a prefix for five minutes to an hour. */
const longestCache = 3600;

/** Provider and model; fields of a record from elsewhere may be anything. */
function modelOf(data: unknown): string {
  const { provider, model } = fieldsOf(data);
  return `${provider} ${model}`;
}

type Comparison = Omit<PrefixBreak, "before" | "skipped" | "seconds" | "usage">;

function compare(before: Compared, now: Compared, log: readonly NumberedEvent[]): Comparison {
  const one = whole(before.request);
  const other = whole(now.request);
  const all = sizeOf(before.parts);
  if (one.model !== other.model)
    return broken("model", `The model is ${other.model} now, before ${one.model}.`, {
      same: nothing,
      lost: all.tokens,
    });
  const at = now.parts.findIndex((part, index) => part.identity !== before.parts[index]?.identity);
  const end = at === -1 ? now.parts.length : at;
  const [part, partBefore] = [now.parts[end], before.parts[end]];
  const line =
    partBefore && part && partBefore.kind === part.kind ? differentLine(partBefore.text, part.text) : undefined;
  const shared = sizeOf(now.parts.slice(0, end));
  const characters = shared.characters + (line?.characters ?? 0);
  const same = { characters, tokens: shared.tokens + Math.floor((line?.characters ?? 0) / 4) };
  const details = { part, partBefore, line: line && { before: line.before, now: line.now }, same };
  const lost = Math.max(0, all.tokens - same.tokens);
  if (one.driver !== other.driver || (one.form && other.form && one.form !== other.form))
    return broken("driver", `The driver is ${driverText(other)} now, before ${driverText(one)}.`, { ...details, lost });
  const isOfMessages =
    partBefore?.kind !== "tool" && partBefore?.kind !== "system" && part?.kind !== "tool" && part?.kind !== "system";
  if (isOfMessages && (!before.request.messages || !now.request.messages)) return unseen(before, now, details, log);
  if (partBefore === undefined) return { state: "grew", why: grownText(now.parts.slice(end)), part, same, lost: 0 };
  const { kind, why } = causeOf(before, now, end);
  return broken(kind, why, { ...details, lost });
}

/** What a break by messages that the log does not hold is known by: how many of them the same run had sent before. */
function unseen(
  { request: before }: Compared,
  { request: now }: Compared,
  details: Pick<Comparison, "same">,
  log: readonly NumberedEvent[],
): Comparison {
  const { same } = details;
  if (now.again >= before.count && before.count > 0)
    return { state: "grew", why: "It begins with all that the one before had sent.", same, lost: 0 };
  if (now.again === 0 && !isOneRun(log, before.seq, now.seq))
    return { state: "unknown", why: "The log does not hold the messages of both requests.", same, lost: 0 };
  const number = now.again + 1;
  const attachments = attachmentsAt(log, now);
  if (attachments === 0)
    return broken("view", `A view, a driver or a hook changed message ${number} or left it out.`, { same, lost: 0 });
  const held = `${attachments} ${attachments === 1 ? "attachment" : "attachments"}`;
  const why = `A view, a driver or a hook changed message ${number} or left it out, which has ${held} in the log.`;
  return broken("attachment", why, { same, lost: 0 });
}

/** Whether both requests are of one run, of which the second one says what it sends again. */
function isOneRun(log: readonly NumberedEvent[], before: number, now: number): boolean {
  return !log.some(
    (event) =>
      event.seq > before &&
      event.seq < now &&
      ((event.type === "record" && event.kind === "run") || (event.type === "user" && event.origin !== "notice")),
  );
}

/** How many attachments the log has where the messages of a request begin to differ. */
function attachmentsAt(log: readonly NumberedEvent[], { seq, data, again }: SentRequest): number {
  const earlier = log.slice(
    0,
    log.findIndex((event) => event.seq === seq),
  );
  const message = messagesOf(earlier, data.driver === "native" ? "native" : "json", [])[again];
  return message ? attachmentsOf(message.message).length : 0;
}

function broken(
  kind: BreakKind,
  why: string,
  rest: Pick<Comparison, "same" | "lost"> & Partial<Comparison>,
): Comparison {
  return { state: "broken", kind, why, ...rest };
}

function whole({ data }: SentRequest): { model: string; driver: string; form: string | undefined } {
  return { model: modelOf(data), driver: String(data.driver), form: formOf(data) };
}

function driverText({ driver, form }: ReturnType<typeof whole>): string {
  return form === undefined ? driver : `${driver} (${form})`;
}

/** What a request has that the one before had not. */
function grownText(parts: readonly RequestPart[]): string {
  if (parts.length === 0) return "It is the same as the one before.";
  const attachments = parts.reduce((sum, part) => sum + part.attachments, 0);
  const messages = `${parts.length} new ${parts.length === 1 ? "message" : "messages"}`;
  const held = attachments > 0 ? `, with ${attachments} ${attachments === 1 ? "attachment" : "attachments"}` : "";
  return `It begins with all of the one before; ${messages}${held}.`;
}

const nothing = { characters: 0, tokens: 0 };

function sizeOf(parts: readonly RequestPart[]): { characters: number; tokens: number } {
  return parts.reduce(
    (sum, part) => ({ characters: sum.characters + part.characters, tokens: sum.tokens + part.tokens }),
    nothing,
  );
}

/** What the step of a request used. */
function usageOf(log: readonly NumberedEvent[], seq: number): Measure | undefined {
  const event = log.find(
    (one) => one.seq > seq && one.type === "record" && (one.kind === "usage" || one.kind === "request"),
  );
  return event?.type === "record" && event.kind === "usage" ? event.data : undefined;
}
