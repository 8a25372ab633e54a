import { isDeepStrictEqual } from "node:util";
import type { LogEvent } from "@cogency/protocol";
import { type Part, type Parts, partsOf } from "@cogency/protocol/parts";
import type { Shown } from "../processes/start-reader.ts";
import { textOf, wordsOf } from "./words.ts";

interface Followed {
  /** What readers may see of the log. */
  events: readonly LogEvent[];
  /** A process was killed that wrote: what it had written and nobody has stored is gone. */
  isBroken?: boolean;
}

/**
 * Compares every screen of a reader with the log, and returns what is wrong. Its settled parts must be those of the log up to some event,
 * and never fewer than before; behind them stands the beginning of what the log has next; no word stands there twice; and the last
 * screen is the log.
 */
export function problemsOf(screens: readonly Shown[], { events, isBroken = false }: Followed): string[] {
  const beginnings = events.map((_, index) => partsOf(events.slice(0, index + 1)));
  const whole = beginnings.at(-1) ?? [];
  const settled = [[], ...beginnings].map((parts) => settledOf(parts));
  const problems: string[] = [];
  let from = 0;
  for (const [index, { parts, connection }] of screens.entries()) {
    const say = (what: string) => problems.push(`screen ${index} (${connection}): ${what}: ${JSON.stringify(parts)}`);
    const found = settled.findIndex((one, at) => at >= from && isDeepStrictEqual(one, settledOf(parts)));
    if (found < 0) say(`its settled parts are not those of the log after event ${from}`);
    else from = found;
    const words = wordsOf(parts);
    if (new Set(words).size < words.length) say("a word stands there twice");
    if (!isBroken && !textOf(whole).startsWith(textOf(parts).trimEnd())) say("the log has another text");
  }
  const last = screens.at(-1)?.parts;
  if (!isDeepStrictEqual(last, JSON.parse(JSON.stringify(whole))))
    problems.push(`the last screen is ${JSON.stringify(last)}`);
  return problems;
}

/** The parts of the stored events, without what only pieces tell. A notice is over while something is written. */
function settledOf(parts: Parts): Part[] {
  const settled = parts.flatMap((part): Part[] => {
    if ("unit" in part || (part.type === "call" && part.state === "writing")) return [];
    if (part.type === "notice") return [{ type: "notice", code: part.code, message: part.message }];
    if (part.type !== "call") return [part];
    const { progress, ...call } = part;
    return [call];
  });
  return JSON.parse(JSON.stringify(settled));
}
