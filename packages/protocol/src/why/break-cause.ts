import { differentLine } from "./different-line.ts";
import type { RequestPart } from "./request-parts.ts";
import type { SentRequest } from "./sent-request.ts";

/** Why a request does not begin with the one before, in one word. */
export type BreakKind =
  /** Another provider or model was asked; it has a cache of its own. */
  | "model"
  /** Another driver wrote the request, or the messages have another form. */
  | "driver"
  /** Tools came, went, changed or stand in another order. */
  | "tools"
  /** A line of the system prompt differs in nothing but a date or a time. */
  | "clock"
  | "skills"
  /** Other words of the system prompt. */
  | "instructions"
  /** A summary took the place of messages, or was taken back. */
  | "compaction"
  /** Calls were left out, because later ones stand for them. */
  | "left_out"
  /** A message has other attachments, or a view, a driver or a hook changed a message that has some in the log. */
  | "attachment"
  /** The request before ended with a word of the runtime, such as `Continue.`, that the log does not keep. */
  | "runtime"
  /** A view, a driver or a hook made messages that the log does not hold. */
  | "view"
  /** A message differs for another reason. */
  | "message";

/** A request with its parts. */
export interface Compared {
  readonly request: SentRequest;
  readonly parts: readonly RequestPart[];
}

/** Why the parts at this place differ. The request before has one there. */
export function causeOf(before: Compared, now: Compared, at: number): { kind: BreakKind; why: string } {
  const [part, partBefore] = [now.parts[at], before.parts[at] as RequestPart];
  if (part?.kind === "tool" || partBefore.kind === "tool")
    return { kind: "tools", why: toolsText(before.parts, now.parts) };
  if (part?.kind === "system" || partBefore.kind === "system") return systemCause(before, now, at);
  return messageCause(before, now, at);
}

function toolsText(before: readonly RequestPart[], now: readonly RequestPart[]): string {
  const [old, fresh] = [before, now].map((parts) => parts.filter(({ kind }) => kind === "tool"));
  const known = new Map(old?.map((tool) => [tool.name, tool.identity]));
  const names = new Set(fresh?.map(({ name }) => name));
  const says = (verb: string, tools: readonly RequestPart[] = []) =>
    tools.length > 0 ? [`${verb} ${tools.map(({ name }) => name).join(", ")}`] : [];
  const changes = [
    ...says(
      "new:",
      fresh?.filter(({ name }) => !known.has(name)),
    ),
    ...says(
      "gone:",
      old?.filter(({ name }) => !names.has(name)),
    ),
    ...says(
      "changed:",
      fresh?.filter(({ name, identity }) => known.has(name) && known.get(name) !== identity),
    ),
  ];
  return changes.length > 0 ? `The tools differ; ${changes.join("; ")}.` : "The tools stand in another order.";
}

function systemCause(before: Compared, now: Compared, at: number): { kind: BreakKind; why: string } {
  const [part, partBefore] = [now.parts[at], before.parts[at]];
  const [old, fresh] = [before, now].map(({ parts }) => sectionsOf(parts)) as [Sections, Sections];
  const isGone = partBefore?.kind === "system" && !fresh.has(partBefore.name);
  const nearest = [isGone ? partBefore.name : undefined, part?.kind === "system" ? part.name : undefined];
  // The white space around a section that has come or gone is part of another one.
  const differs = (one: string) => (old.get(one) ?? "").trim() !== (fresh.get(one) ?? "").trim();
  const names = [...nearest, ...old.keys(), ...fresh.keys()].filter((one) => one !== undefined);
  const name = names.find(differs) ?? names[0] ?? "";
  const [text, textBefore] = [fresh.get(name) ?? "", old.get(name) ?? ""];
  const [taught, taughtBefore] = [fresh.get("tools"), old.get("tools")];
  // The examples of the protocol are calls of the first tools.
  if (name === "tools" || (name === "protocol" && taught !== taughtBefore))
    return { kind: "tools", why: taughtText(taughtBefore ?? "", taught ?? "") };
  if (name === "skills") return { kind: "skills", why: "The list of skills in the system prompt differs." };
  const line = differentLine(textBefore, text);
  if (line && timeless(line.before) === timeless(line.now))
    return { kind: "clock", why: `A date or a time in the system prompt differs (${name}).` };
  return { kind: "instructions", why: `The system prompt differs (${name}).` };
}

type Sections = ReadonlyMap<string, string>;

/** The texts of the sections by their names; those of one name as one. */
function sectionsOf(parts: readonly RequestPart[]): Sections {
  const sections = new Map<string, string>();
  for (const { kind, name, text } of parts)
    if (kind === "system") sections.set(name, (sections.get(name) ?? "") + text);
  return sections;
}

/** The names of tools that a system prompt teaches, in the lines of `protocolPrompt`. */
function taughtText(before: string, now: string): string {
  const entries = (text: string) =>
    new Map([...text.matchAll(/^- ([^:\n]+): (.*\n.*)/gm)].map(([, name = "", rest]) => [name, rest]));
  const [old, fresh] = [entries(before), entries(now)];
  const says = (verb: string, names: readonly string[]) => (names.length > 0 ? [`${verb} ${names.join(", ")}`] : []);
  const changes = [
    ...says(
      "new:",
      [...fresh.keys()].filter((name) => !old.has(name)),
    ),
    ...says(
      "gone:",
      [...old.keys()].filter((name) => !fresh.has(name)),
    ),
    ...says(
      "changed:",
      [...fresh].flatMap(([name, rest]) => (old.has(name) && old.get(name) !== rest ? name : [])),
    ),
  ];
  return changes.length > 0
    ? `The tools that the system prompt teaches differ; ${changes.join("; ")}.`
    : "The tools that the system prompt teaches stand in another order.";
}

/** A line without its digits and the names of days and months. */
function timeless(line: string): string {
  return line
    .replace(
      /\b(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|am|pm)\b/gi,
      "#",
    )
    .replace(/\d+/g, "#");
}

function messageCause(before: Compared, now: Compared, at: number): { kind: BreakKind; why: string } {
  const [part, partBefore] = [now.parts[at], before.parts[at] as RequestPart];
  const number = at - now.parts.findIndex(({ kind }) => kind === "message") + 1;
  const summary = part?.standsFor ?? partBefore.standsFor;
  if (summary) {
    const why = part?.standsFor
      ? `A summary stands for the events ${summary.from} to ${summary.to}.`
      : `The summary of the events ${summary.from} to ${summary.to} was taken back.`;
    return { kind: "compaction", why };
  }
  const [left, leftBefore] = [now, before].map(({ request }) => new Set(request.without)) as [Set<string>, Set<string>];
  const more = [...left].filter((id) => !leftBefore.has(id)).length;
  if (more > 0 || [...leftBefore].some((id) => !left.has(id)))
    return { kind: "left_out", why: `Message ${number} leaves out calls that later ones stand for (${more} more).` };
  if (partBefore.events.length === 0)
    return {
      kind: "runtime",
      why: `The request before had "${partBefore.text.slice(0, 100)}" there, which the runtime says by itself.`,
    };
  if ((part?.attachments ?? 0) !== partBefore.attachments)
    return {
      kind: "attachment",
      why: `The attachments of message ${number} differ: ${part?.attachments ?? 0} now, ${partBefore.attachments} before.`,
    };
  return { kind: "message", why: `Message ${number} differs.` };
}
