import type { LogEvent, RecordEvent, RecordKind } from "@cogency/protocol";
import { namesOfValues, type Path, rewriteStrings } from "./rewrite-strings.ts";

/**
 * Returns a text without its secrets.
 *
 * @param name the name of the property that holds the text, if there is one
 */
export type Redact = (text: string, name?: string) => string;

/**
 * Applies `redact` to every text of an event that people or the model read: messages, thoughts, the strings in arguments and results, and
 * the copies of them in records. Never changes what programs compare: ids, hashes, names of tools and properties,
 * numbers, and a provider's own blocks, which are signed. JSON stays valid, and unchanged parts stay identical to the
 * byte.
 */
export function redactEvent(event: LogEvent, redact: Redact): LogEvent {
  switch (event.type) {
    case "user":
    case "think":
    case "respond":
      return withContent(event, redact(event.content));
    case "call":
      return withContent(event, redactCall(event.content, redact));
    case "result":
      return withContent(event, redactResults(event.content, redact));
    case "record":
      return redactRecord(event, redact);
    case "cancelled":
      return event;
  }
}

function withContent(event: Extract<LogEvent, { content: string }>, content: string): LogEvent {
  return content === event.content ? event : { ...event, content };
}

function redactCall(content: string, redact: Redact): string {
  return redactJson(content, redact, ([part]) => part === "args");
}

function redactResults(content: string, redact: Redact): string {
  return redactJson(content, redact, ([, part]) => part === "content");
}

function redactRecord(event: RecordEvent, redact: Redact): LogEvent {
  const { kind } = event;
  if (unread.has(kind)) return event;
  const text = JSON.stringify(event.data);
  const redacted =
    kind === "started"
      ? rewriteStrings(text, (part, [name, , inner]) => {
          if (name === "call") return redactCall(part, redact);
          return name === "brings" && inner === "source" ? redact(part) : part;
        })
      : redactStrings(text, redact, (path) => isRedactable(kind, path));
  return redacted === text ? event : { ...event, data: JSON.parse(redacted) };
}

/** Kinds of records that hold no text of people: programs compare what is in them. */
const unread: ReadonlySet<RecordKind> = new Set(["native", "usage", "origin", "tools_found", "trace"]);

/** Whether people or the model read this part of a record. */
function isRedactable(kind: RecordKind, [part, inner, name]: Path): boolean {
  switch (kind) {
    case "rejected":
    case "notice":
      return part === "message" || part === "text";
    case "approval":
      return part === "reason";
    case "content":
      return part === "source";
    case "request":
      return part === "system" || part === "settings" || (part === "tools" && name !== "name");
    case "finished":
      return (
        (part === "result" && inner === "content") || (part === "stop" && inner !== "reason" && inner !== "source")
      );
    case "run":
      return (part === "stop" && inner !== "reason" && inner !== "source") || (part === "error" && inner !== "code");
    default:
      return true;
  }
}

/** Redacts invalid JSON, which no writer of this repository produces, as one text. */
function redactJson(json: string, redact: Redact, isRedactable: (path: Path) => boolean): string {
  return isJson(json) ? redactStrings(json, redact, isRedactable) : redact(json);
}

function redactStrings(json: string, redact: Redact, isRedactable: (path: Path) => boolean): string {
  const nameFor = namesOfValues();
  return rewriteStrings(json, (text, path) => {
    const name = nameFor(text, path);
    return isRedactable(path) ? redact(text, name) : text;
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
