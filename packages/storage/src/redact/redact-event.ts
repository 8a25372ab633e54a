import type { LogEvent, RecordEvent, RecordKind } from "@cogency/protocol";
import { namesOfValues, type Path, rewriteStrings } from "./rewrite-strings.ts";

/**
 * Takes secrets out of a text.
 *
 * @param name the name of the property that holds the text, if one does
 */
export type Redact = (text: string, name?: string) => string;

/**
 * The event after `redact` has seen every text in it that a person could read: what was said and thought, the strings in
 * the arguments of calls and in results, and those that records keep of them. What a machine compares stays as it is:
 * ids, hashes, names of tools and of properties, numbers, and all of a provider's own blocks, which are signed. JSON
 * stays JSON, to the byte where nothing is redacted.
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
  if (kind === "native" || kind === "usage" || kind === "origin") return event;
  const text = JSON.stringify(event.data);
  const redacted =
    kind === "started"
      ? rewriteStrings(text, (part, [name, , inner]) => {
          if (name === "call") return redactCall(part, redact);
          return name === "brings" && inner === "source" ? redact(part) : part;
        })
      : redactStrings(text, redact, (path) => isReadable(kind, path));
  return redacted === text ? event : { ...event, data: JSON.parse(redacted) };
}

/** Whether this part of what a record holds is for people, or for the model. */
function isReadable(kind: RecordKind, [part, inner]: Path): boolean {
  switch (kind) {
    case "rejected":
      return part === "message" || part === "text";
    case "approval":
      return part === "reason";
    case "content":
      return part === "source";
    case "finished":
      return (
        (part === "result" && inner === "content") || (part === "stop" && inner !== "reason" && inner !== "source")
      );
    default:
      return true;
  }
}

/** What is no JSON, which nothing here has written, is redacted as a text. */
function redactJson(json: string, redact: Redact, isReadable: (path: Path) => boolean): string {
  return isJson(json) ? redactStrings(json, redact, isReadable) : redact(json);
}

function redactStrings(json: string, redact: Redact, isReadable: (path: Path) => boolean): string {
  const nameFor = namesOfValues();
  return rewriteStrings(json, (text, path) => {
    const name = nameFor(text, path);
    return isReadable(path) ? redact(text, name) : text;
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
