import { type LogEvent, missingResults } from "@cogency/protocol";
import { pointsOf } from "@cogency/protocol/host";
import { UsageError } from "../../base/errors/usage-error.ts";
import { counted, oneLine } from "../../base/terminal/text.ts";
import { eventsBeforeCall, turnsOf } from "../undo/turns.ts";

/** What a person may write for a point, as the end of a sentence. */
const pointForms = "a number of events, turn:2, message:3, the id of a call, or the name of a point";

/**
 * Finds a point that a person has written: a number of events, `turn:2` or `message:3` for all before that turn or message of the
 * person, the id of a call for all before the answer that made it, or the name of a point.
 *
 * @param option how it was given, such as `--at`; it begins the messages of errors
 * @returns how many events of the log stand before it, at least 1
 * @throws UsageError if there is no such point, or nothing before it
 */
export function pointOf(text: string, log: readonly LogEvent[], option = "--at"): number {
  const at = placeOf(text, log, option);
  if (at > log.length)
    throw new UsageError(`${option}: the conversation has ${counted(log.length, "event")}, and not ${at}.`);
  if (at > 0) return at;
  throw new UsageError(`${option} ${oneLine(text, 60)} leaves nothing: it is the moment before the first event.`);
}

/** Whether a name would be read as something else than the name of a point. */
export function isOtherPoint(name: string): boolean {
  return /^(?:\d+$|(?:turn|message):|(?:call|undo)_)/i.test(name);
}

/**
 * The last place of a log at which a conversation can go on: its end, or before the calls that have no results yet.
 */
export function lastPoint(log: readonly LogEvent[]): number {
  if (missingResults(log).length === 0) return log.length;
  const closes = ({ type }: LogEvent) => type === "user" || type === "result" || type === "cancelled";
  return log.findLastIndex(closes) + 1;
}

function placeOf(text: string, log: readonly LogEvent[], option: string): number {
  const [, kind, number] = /^(?:(turn|message):)?([1-9]\d{0,8})$/.exec(text) ?? [];
  if (kind === "turn") return nth(turnsOf(log), Number(number), "turn", option).at;
  if (kind === "message") return nth(messagesOf(log), Number(number), "message", option).at;
  if (number !== undefined) return Number(number);
  const points = pointsOf(log);
  const named = points.find(({ name }) => name === text);
  if (named) return named.at;
  const ofCall = eventsBeforeCall(log, text);
  if (ofCall !== undefined) return ofCall;
  const names = points.slice(0, 10).map(({ name }) => `"${oneLine(name, 60)}"`);
  const known = names.length === 0 ? "No point of it has a name" : `Its names are ${names.join(", ")}`;
  throw new UsageError(
    `${option}: the conversation has no point "${oneLine(text, 60)}". Give ${pointForms}. ${known}${points.length > names.length ? ", and more" : ""}.`,
  );
}

function nth<T>(all: readonly T[], number: number, what: "turn" | "message", option: string): T {
  const found = all[number - 1];
  if (found !== undefined) return found;
  throw new UsageError(`${option}: the conversation has ${counted(all.length, `${what}`)} of a person.`);
}

/** Each message of the person; piped text and a prompt are two. */
function messagesOf(log: readonly LogEvent[]): { at: number }[] {
  return log.flatMap((event, at) => (event.type === "user" && event.origin === undefined ? [{ at }] : []));
}
