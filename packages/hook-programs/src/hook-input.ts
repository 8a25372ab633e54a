import type { AfterRun, BeforePrompt, BeforeRun, OnQuestion, OnStop } from "@cogency/agent/hooks";
import type { Json } from "@cogency/protocol";
import { type AfterToolUse, type BeforeToolUse, toToolResult } from "@cogency/tools";
import type { HookPoint } from "./hook-program.ts";

/** What a program is called about. */
export interface HookInput {
  /** The tool of the call. */
  readonly tool?: string;
  /** What it reads, beside its name, its point and the root. */
  readonly about: object;
}

/** Characters of a result or an answer. */
const longest = 65_536;
/** Of arguments, where the program only watches; a guard reads them whole. */
const longestArguments = 262_144;

/** For each point, what the program reads of it. */
export const inputAt = {
  beforePrompt: ({ prompt, kind, ...rest }: BeforePrompt) => ({ about: { ...placeOf(rest), kind, prompt } }),
  beforeRun: ({ mode, ...rest }: BeforeRun) => ({ about: { ...placeOf(rest), mode } }),
  beforeToolUse: ({ call, ...rest }: BeforeToolUse) => ({
    tool: call.name,
    about: { ...placeOf(rest), tool: call.name, args: call.args, call: call.id },
  }),
  afterToolUse({ execution, ...rest }: AfterToolUse) {
    const { call, outcome } = execution;
    const { content } = toToolResult(execution);
    const result = cut(content as Json, longest);
    return { tool: call.name, about: { ...placeOf(rest), ...watched(call), outcome, result } };
  },
  onQuestion: ({ call, asks, ...rest }: OnQuestion) => ({
    tool: call.name,
    about: { ...placeOf(rest), ...watched(call), asks },
  }),
  onStop: ({ status, stop, text, ...rest }: OnStop) => ({
    about: { ...placeOf(rest), status, ...(stop && { reason: stop.reason }), text: cut(text, longest) },
  }),
  afterRun: ({ result: { status, stop, error, text }, ...rest }: AfterRun) => ({
    about: {
      ...placeOf(rest),
      status,
      ...(stop && { reason: stop.reason }),
      ...(error && { error: error.code }),
      text: cut(text, longest),
    },
  }),
} as const satisfies Readonly<Record<HookPoint, (context: never) => HookInput>>;

function placeOf({ conversation }: { conversation: string }) {
  return { conversation };
}

function watched({ id, name, args }: { id: string; name: string; args: object }) {
  return { tool: name, args: cut(args as Json, longestArguments), call: id };
}

/** The value, or the beginning of its JSON if that is longer. */
function cut(value: Json, most: number): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return text.length > most ? `${text.slice(0, most).toWellFormed()}[… cut]` : value;
}
