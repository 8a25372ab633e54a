import type { LogEvent, UserEvent } from "@cogency/protocol";
import { beforeBlocks } from "./before-blocks.ts";

const maxLength = 80;

/** The title that events give their conversation. */
export interface Title {
  /** At most 80 code points on one line; empty if the events give none. */
  title: string;
  /** Whether a person gave it. Then it replaces the one before; any other counts only for a conversation without one. */
  isGiven: boolean;
}

/**
 * The title of the last record `title`, or without one the start of the first message: of the person, or of the untrusted text in its
 * place. Blocks that were added to the message are left out.
 */
export function titleOf(events: readonly LogEvent[]): Title {
  let first = "";
  let given = "";
  for (const event of events) {
    if (event.type === "user") first ||= isOfPerson(event) ? oneLine(beforeBlocks(event.content)) : "";
    else if (event.type === "record" && event.kind === "title") given = givenText(event.data) || given;
  }
  return given === "" ? { title: first, isGiven: false } : { title: given, isGiven: true };
}

function isOfPerson({ origin }: UserEvent): boolean {
  return origin === undefined || origin === "untrusted";
}

/** A log from elsewhere may hold anything. */
function givenText(data: unknown): string {
  const { text } = (data ?? {}) as { text?: unknown };
  return typeof text === "string" ? oneLine(text) : "";
}

function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  // A code point has at most two code units. Cutting first avoids splitting a large paste into characters.
  return Array.from(line.slice(0, 2 * maxLength))
    .slice(0, maxLength)
    .join("")
    .trimEnd();
}
