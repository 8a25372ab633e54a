import { callOf } from "../call-content.ts";
import type { Allowed, CallEvent } from "../events.ts";
import type { JsonObject } from "../json.ts";
import { parseResults } from "../results.ts";
import { type ArgumentOrigin, argumentOrigins } from "./argument-origins.ts";
import { fieldsOf, type NumberedEvent, textOr } from "./numbered-event.ts";

/** An effect, and everything in the log that led to it. */
export interface WhyCall {
  /** The number of the call's event. */
  readonly seq: number;
  readonly id: string | undefined;
  readonly name: string;
  /** As the model wrote them. */
  readonly args: JsonObject;
  /** The person's words that the turn began with. Undefined in a turn without any. */
  readonly prompt: Said | undefined;
  /** What the model wrote in the step before the call, in order. */
  readonly words: readonly Said[];
  /** The number of the request whose answer the call is part of. */
  readonly request: number | undefined;
  /** What hooks, or the reading of its arguments, made of the call. */
  readonly changed: { readonly seq: number; readonly name: string; readonly args: JsonObject } | undefined;
  /** The questions about it, in order. */
  readonly questions: readonly AskedQuestion[];
  /** When it began, and why it was allowed to. Undefined for a call that never began. */
  readonly started: { readonly seq: number; readonly allowed: Allowed | undefined } | undefined;
  /** How it ended; undefined while it runs. */
  readonly ended: { readonly seq: number; readonly status: string } | undefined;
  /** Where the texts of its arguments stood before. */
  readonly origins: readonly ArgumentOrigin[];
}

export interface Said {
  readonly seq: number;
  readonly type: "user" | "think" | "respond";
  readonly text: string;
}

/** A question about the call, and its answer. */
export interface AskedQuestion {
  readonly seq: number;
  /** Undefined in logs of earlier versions. */
  readonly id: string | undefined;
  /** `approval`: whether the call may run. `answer`: the call itself asks. */
  readonly asks: string;
  readonly concerns: readonly { readonly kind: string; readonly why: string }[];
  readonly touches: readonly string[];
  readonly message: string | undefined;
  readonly answer: QuestionAnswer | undefined;
}

export interface QuestionAnswer {
  readonly seq: number;
  /** `approved`, `denied` or `answered`. */
  readonly status: string;
  readonly reason: string | undefined;
  /** Who sent it, if it came from elsewhere. */
  readonly from: string | undefined;
  /** The data of its record. Whether its proof is valid only who has the keys can say. */
  readonly record: JsonObject;
}

/**
 * Says what led to a call: found by its id, the last one that has it, or by the number of its event or of a record about it. Undefined if
 * there is none. Never throws for a log from elsewhere. Takes time in proportion to the log.
 *
 * @param log all events of the conversation, in order
 */
export function whyCall(log: readonly NumberedEvent[], wanted: string | number): WhyCall | undefined {
  const at = placeOf(log, wanted);
  const event = log[at];
  if (event?.type !== "call") return undefined;
  const { name, args } = readCall(event);
  const id = textOr(event.id);
  const before = log.slice(0, at);
  const after = recordsOf(log, at, id);
  return {
    seq: event.seq,
    id,
    name,
    args,
    ...ledBy(before),
    changed: changeIn(after),
    questions: questionsIn(after),
    started: startOf(after),
    ended: endOf(log, at, id, after),
    origins: argumentOrigins(args, before),
  };
}

function placeOf(log: readonly NumberedEvent[], wanted: string | number): number {
  const isWanted = (id: string | undefined) => log.findLastIndex((event) => event.type === "call" && event.id === id);
  if (typeof wanted === "string") return isWanted(wanted);
  const at = log.findIndex(({ seq }) => seq === wanted);
  const event = log[at];
  if (event?.type !== "record") return at;
  const { id, call } = fieldsOf(event.data);
  const named = event.kind === "question" || event.kind === "content" || event.kind === "child" ? call : id;
  if (typeof named !== "string") return -1;
  return log.slice(0, at).findLastIndex((one) => one.type === "call" && one.id === named);
}

function readCall(event: Pick<CallEvent, "content">): { name: string; args: JsonObject } {
  try {
    return callOf({ content: event.content });
  } catch {
    return { name: "unreadable", args: { text: String(event.content) } };
  }
}

/** The turn's words, the step's words and the request before a call. */
function ledBy(before: readonly NumberedEvent[]): Pick<WhyCall, "prompt" | "words" | "request"> {
  const prompt = before.findLast((event) => event.type === "user" && event.origin === undefined);
  const stepBegan = before.findLastIndex(
    (event) => event.type === "user" || event.type === "result" || event.type === "cancelled",
  );
  const words = before.slice(stepBegan + 1).flatMap((event) => said(event) ?? []);
  const request = before.findLast((event) => event.type === "record" && event.kind === "request");
  return { prompt: prompt && said(prompt), words, request: request?.seq };
}

function said(event: NumberedEvent): Said | undefined {
  const { type, seq } = event;
  if (type !== "user" && type !== "think" && type !== "respond") return undefined;
  return { seq, type, text: String(event.content) };
}

type RecordOf = Extract<NumberedEvent, { type: "record" }>;

/** The records about a call, until its id is used again. */
function recordsOf(log: readonly NumberedEvent[], at: number, id: string | undefined): RecordOf[] {
  if (id === undefined) return [];
  const records: RecordOf[] = [];
  const questions = new Set<unknown>();
  for (const event of log.slice(at + 1)) {
    if (event.type === "call" && event.id === id) break;
    if (event.type !== "record") continue;
    const data = fieldsOf(event.data);
    const isOfCall = event.kind === "question" ? data.call === id : data.id === id && kindsOfCall.has(event.kind);
    if (event.kind === "question" && isOfCall) questions.add(data.id);
    if (isOfCall || (event.kind === "answer" && questions.has(data.question))) records.push(event);
  }
  return records;
}

const kindsOfCall: ReadonlySet<string> = new Set(["approval", "started", "finished", "not_done"]);

function changeIn(records: readonly RecordOf[]): WhyCall["changed"] {
  const record = records.findLast(({ kind, data }) => kind === "started" && textOr(fieldsOf(data).call) !== undefined);
  return record && { seq: record.seq, ...readCall({ content: String(fieldsOf(record.data).call) }) };
}

function questionsIn(records: readonly RecordOf[]): AskedQuestion[] {
  const asked = new Map<unknown, AskedQuestion>();
  for (const { kind, seq, data } of records) {
    const fields = fieldsOf(data);
    if (kind === "question") asked.set(fields.id, questionOf(seq, fields));
    if (kind !== "answer" && kind !== "approval") continue;
    const known = asked.get(fields.question) ?? questionOf(seq, { asks: "approval" });
    asked.set(fields.question, { ...known, answer: answerOf(seq, kind, fields) });
  }
  return [...asked.values()];
}

function questionOf(seq: number, fields: Readonly<Record<string, unknown>>): AskedQuestion {
  const { id, asks, concerns, touches, message } = fields;
  return {
    seq,
    id: textOr(id),
    asks: String(asks),
    concerns: (Array.isArray(concerns) ? concerns : []).map((one) => {
      const { kind, why } = fieldsOf(one);
      return { kind: String(kind), why: String(why) };
    }),
    touches: (Array.isArray(touches) ? touches : []).map(String),
    message: textOr(message),
    answer: undefined,
  };
}

function answerOf(seq: number, kind: string, fields: Readonly<Record<string, unknown>>): QuestionAnswer {
  const { status, reason, from } = fields;
  return {
    seq,
    status: kind === "answer" ? "answered" : String(status),
    reason: textOr(reason),
    from: textOr(from),
    record: fields as JsonObject,
  };
}

function startOf(records: readonly RecordOf[]): WhyCall["started"] {
  const record = records.find(({ kind }) => kind === "started");
  if (!record) return undefined;
  const { by, rule, from, question } = fieldsOf(fieldsOf(record.data).allowed);
  const allowed = typeof by === "string" && {
    by: by as Allowed["by"],
    ...(typeof rule === "string" && { rule }),
    ...(typeof from === "string" && { from }),
    ...(typeof question === "string" && { question }),
  };
  return { seq: record.seq, allowed: allowed || undefined };
}

function endOf(
  log: readonly NumberedEvent[],
  at: number,
  id: string | undefined,
  records: readonly RecordOf[],
): WhyCall["ended"] {
  const record = records.findLast(({ kind }) => kind === "finished");
  if (record) return { seq: record.seq, status: String(fieldsOf(fieldsOf(record.data).result).status) };
  const result = log.slice(at).find((event) => event.type === "result" || event.type === "user");
  if (result?.type !== "result") return undefined;
  const index = id === undefined ? -1 : (result.ids?.indexOf(id) ?? -1);
  const status = parseResults(String(result.content))?.[index]?.status;
  return status && { seq: result.seq, status };
}
