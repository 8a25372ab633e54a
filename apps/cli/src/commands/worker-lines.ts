import type { Key, Parked, StandingClaim, WakeQueue } from "@cogency/storage";
import { shellWord } from "../base/terminal/shell-word.ts";
import { tableLines } from "../base/terminal/table-lines.ts";
import { counted, oneLine, wordWrapped } from "../base/terminal/text.ts";

interface WorkerLook {
  /** Of the terminal. */
  readonly columns: number;
  /** Makes a text less prominent. */
  dim(text: string): string;
}

/** What people read of a queue. */
export function workerLines(
  { now, due, dueSince, claims, deferred }: WakeQueue,
  parked: readonly Parked[],
  { columns, dim }: WorkerLook,
): string[] {
  const wrapped = (text: string) => wordWrapped(text, columns);
  const waits = dueSince === undefined ? "" : `, the longest for ${secondsText(now - dueSince)}`;
  const first =
    due === 0 ? "Nothing waits." : `${counted(due, "conversation")} ${due === 1 ? "waits" : "wait"}${waits}.`;
  const owners = new Map<string, StandingClaim[]>();
  for (const claim of claims) owners.set(claim.owner, [...(owners.get(claim.owner) ?? []), claim]);
  return [
    ...wrapped(first),
    ...[...owners]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([owner, own]) => [
        `${oneLine(owner, 60)} ${dim(`runs ${counted(own.length, "conversation")}`)}`,
        ...tableLines(
          own.map(({ key, reasons, attempts }) => {
            const again = attempts > 1 ? `, attempt ${attempts}` : "";
            return [nameOf(key), `${reasons.map((reason) => oneLine(reason, 40)).join(", ")}${again}`];
          }),
          { columns: columns - 2, style: (text, column) => (column === 1 ? dim(text) : text) },
        ).map((line) => `  ${line}`),
      ]),
    ...deferred.flatMap(({ key, at }) => wrapped(`${nameOf(key)} is tried again in ${secondsText(at - now)}`)),
    ...parked.flatMap(({ key, reason }) => [
      ...wrapped(`${nameOf(key)} is parked: ${oneLine(reason, 200)}`),
      `  cogency workers release ${shellWord(key.conversation)}${key.user === undefined ? "" : ` --user ${shellWord(key.user)}`}`,
    ]),
  ];
}

function nameOf({ conversation, user }: Key): string {
  const whose = user === undefined ? "" : ` (${oneLine(user, 40)})`;
  return `${oneLine(conversation, 60)}${whose}`;
}

function secondsText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
