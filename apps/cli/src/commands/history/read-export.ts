import { type LogEvent, logEventProblem } from "@cogency/protocol";
import { isInvalidEventError } from "@cogency/storage";
import { cleanEvents } from "@cogency/storage/adapter";
import { UsageError } from "../../base/errors/usage-error.ts";
import { type ConversationHeader, exportVersion } from "../../work/export/export-format.ts";
import { readLines } from "./read-lines.ts";

/** What an exported line holds. `line` counts from 1. */
export type ExportedLine = { line: number } & ({ header: ConversationHeader } | { event: LogEvent });

/**
 * Reads what `export` has written, and checks every line.
 *
 * @param name of the file, for messages
 * @throws UsageError for the first line that is none of an export, or is out of its place; the message tells its number
 */
export async function* readExport(path: string, name: string): AsyncGenerator<ExportedLine> {
  let header: ConversationHeader | undefined;
  let headerLine = 0;
  let seen = 0;
  let line = 0;
  const refuse = (problem: string, at = line): never => {
    throw new UsageError(`${name} line ${at}: ${problem}. Nothing was imported.`);
  };
  const refuseIncomplete = () => {
    if (header && seen < header.events) {
      refuse(`its conversation has ${header.events} events, and only ${seen} follow: something is missing`, headerLine);
    }
  };

  for await (const text of readLines(path, (problem) => refuse(problem, line + 1))) {
    line++;
    if (text.trim() === "") continue;
    const value = parsed(text) ?? refuse("it is no JSON object");
    if (value.type === "conversation") {
      refuseIncomplete();
      header = headerOf(value, refuse);
      headerLine = line;
      seen = 0;
      yield { line, header };
    } else {
      if (!header) refuse("it is not the header of a conversation, with which an export begins");
      if (header && seen >= header.events) refuse(`its conversation has ${header.events} events only`);
      if (value.seq !== seen + 1) refuse(`its seq is not ${seen + 1}, the next of the conversation`);
      seen++;
      yield { line, event: eventOf(value, refuse) };
    }
  }
  refuseIncomplete();
  if (!header) refuse("it is empty", Math.max(1, line));
}

type Fields = Readonly<Record<string, unknown>>;
type Refuse = (problem: string) => never;

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

function headerOf({ type: _, version, conversation, user, events }: Fields, refuse: Refuse): ConversationHeader {
  if (version !== exportVersion)
    refuse(`its format has version ${JSON.stringify(version)}; this is known: ${exportVersion}`);
  if (typeof conversation !== "string") refuse("its `conversation` is not a string");
  if (user !== undefined && typeof user !== "string") refuse("its `user` is not a string");
  if (!Number.isSafeInteger(events) || Number(events) < 1) refuse("its `events` is not a number of events");
  return {
    type: "conversation",
    version: exportVersion,
    conversation: conversation as string,
    ...(user !== undefined && { user: user as string }),
    events: events as number,
  };
}

function eventOf({ seq: _, ...fields }: Fields, refuse: Refuse): LogEvent {
  try {
    const [event] = cleanEvents([fields as unknown as LogEvent]);
    const problem = logEventProblem(event);
    return problem === undefined ? (event as LogEvent) : refuse(problem);
  } catch (error) {
    if (!isInvalidEventError(error)) throw error;
    return refuse(error.message.replace(/^Event 0 of the batch/, "the event").replace(/\.$/, ""));
  }
}
