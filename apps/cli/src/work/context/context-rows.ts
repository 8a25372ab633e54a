import { type ContextParts, contextParts, type MessagePartName } from "@cogency/agent/history";
import type { LogEvent } from "@cogency/protocol";
import type { PromptSection } from "./prompt-sections.ts";

export interface ContextChoice {
  /** Tokens of the last request and its answer. */
  readonly used: number;
  /** Whether no server has counted them. */
  readonly isEstimated: boolean;
  /** Tokens that the model takes, if that is known. */
  readonly window: number | undefined;
  readonly sections: readonly PromptSection[];
}

/** What fills the context, in lines for a person. */
export interface ContextText {
  readonly head: string;
  readonly rows: readonly (readonly [name: string, text: string])[];
  /** What a compaction would free. */
  readonly freed: string;
}

const names: Readonly<Record<MessagePartName, string>> = {
  summary: "summary",
  user: "what you said",
  notices: "notices",
  answers: "answers",
  thinking: "thinking",
  calls: "calls of tools",
  results: "results of tools",
  attachments: "pictures and files",
};

/** What fills the context of a conversation, by part; undefined before the first request. */
export function contextText(log: readonly LogEvent[], choice: ContextChoice): ContextText | undefined {
  const parts = contextParts(log);
  if (parts.system === "" && parts.messages.length === 0) return undefined;
  const { used, isEstimated, window } = choice;
  const sized = [...promptParts(parts, choice.sections), ...messageParts(parts)];
  const sum = sized.reduce((all, { tokens }) => all + tokens, 0);
  // The parts are estimated, and a server counts otherwise: their shares are kept.
  const all = isEstimated || used === 0 ? Math.max(used, sum) : used;
  const scale = all / Math.max(1, sum);
  const rows = sized.map(({ name, tokens }) => rowOf(name, tokens * scale, all, window));
  const free = window === undefined ? [] : [["free", number(Math.max(0, window - all))] as const];
  const about = isEstimated ? "about " : "";
  return {
    head:
      window === undefined
        ? `context: ${about}${number(all)} tokens; how many the model takes is not known (--context-window)`
        : `context: ${about}${number(all)} of ${number(window)} tokens, ${percent(all, window)}; its parts are estimated`,
    rows: [...rows, ...free],
    freed:
      parts.freed * scale < least
        ? "/compact would free nothing now."
        : `/compact would free about ${number(parts.freed * scale)} tokens.`,
  };
}

/** Tokens that are worth a word. */
const least = 100;

interface SizedPart {
  readonly name: string;
  readonly tokens: number;
}

/** A section that the system prompt does not hold, since another model or mode has another one, is left out. */
function promptParts({ system, tools }: ContextParts, sections: readonly PromptSection[]): SizedPart[] {
  const held = sections.filter(({ text }) => system.includes(text));
  const rest = system.length - held.reduce((sum, { text }) => sum + text.length, 0);
  return [
    { name: tools.length === 0 ? "system prompt with tools" : "system prompt", tokens: tokensOf(rest) },
    ...held.map(({ name, text }) => ({ name, tokens: tokensOf(text.length) })),
    { name: `tools (${tools.length})`, tokens: tools.length === 0 ? 0 : tokensOf(JSON.stringify(tools).length) },
  ].filter(({ tokens }) => tokens > 0);
}

function messageParts({ messages }: ContextParts): SizedPart[] {
  return messages.map(({ part, tokens }) => ({ name: names[part], tokens }));
}

/** `about 1,200, 6 % ▆▆▆▆` */
function rowOf(name: string, tokens: number, all: number, window: number | undefined): [string, string] {
  const bar = "▆".repeat(Math.round((cells * tokens) / Math.max(1, all)));
  return [name, `about ${number(tokens)}, ${percent(tokens, window ?? all)} ${bar}`.trimEnd()];
}

/** Of the bar of a part that fills all. */
const cells = 12;

function percent(part: number, whole: number): string {
  const share = (100 * part) / Math.max(1, whole);
  return `${share > 0 && share < 1 ? "below 1" : Math.round(share)} %`;
}

function tokensOf(characters: number): number {
  return Math.ceil(Math.max(0, characters) / 4);
}

function number(tokens: number): string {
  return Math.round(tokens).toLocaleString("en");
}
