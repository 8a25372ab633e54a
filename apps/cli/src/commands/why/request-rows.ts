import { cost, duration } from "@cogency/page";
import type { PrefixBreak, RequestPart, WhyRequest } from "@cogency/protocol/why";
import { counted, linesWrapped, oneLine, padded, within } from "../../base/terminal/text.ts";
import { factRows } from "./fact-rows.ts";

interface RequestRowsOptions {
  /** Columns of the terminal. */
  readonly width: number;
  /** What the tokens that were read anew cost more than those of a cache, in the currency of the prices. */
  readonly lostCost: number | undefined;
}

/** Why a request was what it was, in rows for a terminal. Texts of the log stand on one row each, escaped. */
export function requestRows(why: WhyRequest, { width, lostCost }: RequestRowsOptions): string[] {
  const { seq, driver, provider, model, parts, hasMessages, leftOut, prefix } = why;
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  return [
    ...factRows(width, [
      ["request", [`${seq}: ${one(provider)} ${one(model)}, driver ${one(driver)}, about ${counted(tokens, "token")}`]],
      ["prefix", prefixText(prefix, width, lostCost)],
      ...(leftOut.length > 0
        ? [["left out", [`${counted(leftOut.length, "call")}: ${one(leftOut.join(", "), 200)}`]] as const]
        : []),
    ]),
    "",
    ...partRows(parts, width),
    ...(hasMessages
      ? []
      : linesWrapped("Its messages are not in the log: a driver, a view or a hook made others.", width)),
  ];
}

function prefixText(prefix: PrefixBreak, width: number, lostCost: number | undefined): string[] {
  const { state, kind, why, line, same, lost, seconds, usage, before } = prefix;
  const isBroken = state === "broken";
  const room = Math.max(20, width - 18);
  return [
    isBroken ? `broken by ${kind?.replace("_", " ")}. ${one(why, 600)}` : `${states[state]} ${one(why, 600)}`,
    ...(isBroken && line ? [`was: ${oneLine(line.before, room)}`, `is:  ${oneLine(line.now, room)}`] : []),
    ...(before === undefined
      ? []
      : [
          `about ${counted(same.tokens, "token")} as in request ${before}` +
            (isBroken ? `, and about ${counted(lost, "token")} of it had to be read anew` : "") +
            (isBroken && lostCost !== undefined ? `, for ${cost(lostCost)}` : "") +
            (seconds === undefined ? "" : `; ${duration(seconds)} after it`),
        ]),
    ...(usage
      ? [
          `the server counted ${counted(usage.input, "token")} read anew, ${usage.cacheRead.toLocaleString("en")} from its cache and ` +
            `${usage.cacheWrite.toLocaleString("en")} written to it${usage.estimated ? " (estimated)" : ""}`,
        ]
      : []),
  ];
}

const states: Readonly<Record<Exclude<PrefixBreak["state"], "broken">, string>> = {
  first: "nothing broke it.",
  grew: "nothing broke it.",
  unknown: "cannot be compared.",
};

/** A row for each part: what it is, its tokens, the events that made it, and how it begins. */
function partRows(parts: readonly RequestPart[], width: number): string[] {
  const cells = parts.map((part) => [nameOf(part), part.tokens.toLocaleString("en"), eventsOf(part)] as const);
  const wide = [0, 1, 2].map((i) =>
    Math.min([22, 9, 16][i] ?? 0, Math.max(...cells.map((row) => row[i]?.length ?? 0), [4, 6, 6][i] ?? 0)),
  );
  const row = ([name, tokens, events]: readonly [string, string, string], text: string) => {
    const [first = 0, second = 0, third = 0] = wide;
    const beginning = `${padded(within(name, first), first)}  ${tokens.padStart(second)}  ${padded(within(events, third), third)}  `;
    return `${beginning}${oneLine(text, Math.max(8, width - first - second - third - 6))}`.trimEnd();
  };
  return [
    row(["part", "tokens", "events"], "begins"),
    ...parts.map((part, i) => row(cells[i] as (typeof cells)[0], part.text)),
  ];
}

function nameOf({ kind, name, standsFor, attachments }: RequestPart): string {
  const held = attachments > 0 ? ` +${attachments}` : "";
  if (standsFor) return `summary ${standsFor.from}–${standsFor.to}`;
  return kind === "message" ? `${one(name)}${held}` : `${kind} ${one(name)}`;
}

/** `3, 5–9`: several in a row as a range. */
function eventsOf({ events }: Pick<RequestPart, "events">): string {
  if (events.length === 0) return "–";
  const ranges: [number, number][] = [];
  for (const seq of events) {
    const last = ranges.at(-1);
    if (last && seq === last[1] + 1) last[1] = seq;
    else ranges.push([seq, seq]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}

function one(text: string, most = 60): string {
  return oneLine(text, most);
}
