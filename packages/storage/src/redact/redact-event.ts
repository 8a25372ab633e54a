import type { LogEvent, RecordKind } from "@cogency/protocol";
import { namesOfValues, type Path, rewriteStrings } from "./rewrite-strings.ts";

/**
 * Returns a text without its secrets.
 *
 * @param name the name of the property that holds the text, if there is one
 */
export type Redact = (text: string, name?: string) => string;

/**
 * Applies `redact` to every text of an event, also to fields and kinds that this version does not know. Never changes what programs
 * compare: ids, hashes, codes, names of tools and properties, numbers, and a provider's own blocks, which are signed; nor the bytes of
 * attachments. JSON stays valid, and unchanged parts stay identical to the byte.
 */
export function redactEvent(event: LogEvent, redact: Redact): LogEvent {
  const isRecord = event.type === "record";
  if (isRecord && unread.has(event.kind)) return event;
  const kept = isRecord ? (keptOfRecord.get(event.kind) ?? []) : keptOfEvent;
  const text = JSON.stringify(event);
  const redacted = redactStrings(text, redact, (path) => {
    const [part, ...rest] = path;
    if (part === "type" || (isRecord && part === "kind")) return keep;
    const within = isRecord && part === "data" ? rest : path;
    if (isKept(within, kept)) return keep;
    if (isRecord) return event.kind === "started" && isAt(within, ["call"]) ? redactCall : redactText;
    if (!isAt(path, ["content"])) return redactText;
    return contents[event.type] ?? redactText;
  });
  return redacted === text ? event : JSON.parse(redacted);
}

/** What becomes of a string of an event. `name` is that of the property that holds it. */
type Rewrite = (text: string, redact: Redact, name: string | undefined) => string;

const keep: Rewrite = (text) => text;
const redactText: Rewrite = (text, redact, name) => redact(text, name);
const redactCall: Rewrite = (text, redact) => redactJson(text, redact, [["name"]]);
const redactResults: Rewrite = (text, redact) =>
  redactJson(text, redact, [
    [any, "tool"],
    [any, "status"],
  ]);

/** What the `content` of these events is, which is a text by default. */
const contents: Partial<Record<LogEvent["type"], Rewrite>> = { call: redactCall, result: redactResults };

const any = Symbol("any name or index");
/** Where strings stand that programs compare. What is below is kept, too. */
type Pattern = readonly (string | typeof any)[];

/** What is kept of an attachment. */
const ofAttachments = (...path: Pattern): Pattern[] =>
  ["kind", "mediaType", "data"].map((name) => [...path, "attachments", any, name]);

const keptOfEvent: readonly Pattern[] = [["id"], ["ids"], ["origin"], ["sources", any, "holds"], ...ofAttachments()];

/** By the kind of record. Of a kind that is not here, nothing is kept. */
const keptOfRecord: ReadonlyMap<string, readonly Pattern[]> = new Map<RecordKind, readonly Pattern[]>([
  ["fork", [["from"]]],
  ["rejected", [["code"]]],
  ["content", [["holds"], ["call"]]],
  ["approval", [["id"], ["name"], ["hash"], ["status"], ["question"], ["shown"], ["proof"]]],
  [
    "question",
    [["id"], ["call"], ["name"], ["hash"], ["asks"], ["shown"], ["definition"], ["agents"], ["concerns", any, "kind"]],
  ],
  ["answer", [["question"], ["proof"]]],
  ["message", [["id"], ["kind"]]],
  ["request", [["driver"], ["provider"], ["model"], ["messages"], ["hashes"], ["tools", any, "name"]]],
  ["client_tools", [["tools", any, "name"]]],
  ["started", [["id"], ["brings", any, "holds"], ["allowed", "by"], ["allowed", "question"]]],
  ["not_done", [["id"]]],
  [
    "finished",
    [
      ["id"],
      ["result", "tool"],
      ["result", "status"],
      ...ofAttachments("result"),
      ["stop", "reason"],
      ["stop", "source"],
    ],
  ],
  ["run", [["status"], ["stop", "reason"], ["stop", "source"], ["error", "code"]]],
  ["notice", [["code"]]],
]);

/** Kinds of records that hold no text of people: programs compare what is in them. */
const unread: ReadonlySet<RecordKind> = new Set([
  "native",
  "usage",
  "origin",
  "tools_found",
  "source_tools",
  "trace",
  "child",
  "parent",
]);

function isKept(path: Path, kept: readonly Pattern[]): boolean {
  return kept.some((pattern) => isAt(path.slice(0, pattern.length), pattern));
}

function isAt(path: Path, pattern: Pattern): boolean {
  return path.length === pattern.length && pattern.every((part, index) => part === any || part === path[index]);
}

/** Redacts invalid JSON, which no writer of this repository produces, as one text. */
function redactJson(json: string, redact: Redact, kept: readonly Pattern[]): string {
  if (!isJson(json)) return redact(json);
  return redactStrings(json, redact, (path) => (isKept(path, kept) ? keep : redactText));
}

function redactStrings(json: string, redact: Redact, rewriteAt: (path: Path) => Rewrite): string {
  const nameFor = namesOfValues();
  return rewriteStrings(json, (text, path) => {
    const name = nameFor(text, path);
    return rewriteAt(path)(text, redact, name);
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
