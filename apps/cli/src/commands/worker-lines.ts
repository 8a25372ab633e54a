import type { Key, Parked, StandingClaim, WakeQueue } from "@cogency/storage";
import { shellWord } from "../base/terminal/shell-word.ts";
import { counted, oneLine } from "../base/terminal/text.ts";

/**
 * What people read of a queue.
 *
 * @param dim makes a text less prominent
 */
export function workerLines(
  { now, due, dueSince, claims, deferred }: WakeQueue,
  parked: readonly Parked[],
  dim: (text: string) => string,
): string[] {
  const waits = dueSince === undefined ? "" : `, the longest for ${secondsText(now - dueSince)}`;
  const first =
    due === 0 ? "Nothing waits." : `${counted(due, "conversation")} ${due === 1 ? "waits" : "wait"}${waits}.`;
  const owners = new Map<string, StandingClaim[]>();
  for (const claim of claims) owners.set(claim.owner, [...(owners.get(claim.owner) ?? []), claim]);
  return [
    first,
    ...[...owners]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([owner, own]) => [
        `${oneLine(owner, 60)} ${dim(`runs ${counted(own.length, "conversation")}`)}`,
        ...own.map(({ key, reasons, attempts }) => {
          const again = attempts > 1 ? `, attempt ${attempts}` : "";
          return `  ${nameOf(key)}  ${dim(`${reasons.map((reason) => oneLine(reason, 40)).join(", ")}${again}`)}`;
        }),
      ]),
    ...deferred.map(({ key, at }) => `${nameOf(key)} ${dim(`is tried again in ${secondsText(at - now)}`)}`),
    ...parked.flatMap(({ key, reason }) => [
      `${nameOf(key)} ${dim("is parked:")} ${oneLine(reason, 200)}`,
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
