import type { Content } from "@cogency/tools";
import type { StopSignal } from "@cogency/tools/host";
import type { Ending } from "./call-program.ts";
import type { HookOutcome } from "./hook-outcome.ts";
import { type HookProgram, hookName, rulesOf } from "./hook-program.ts";

/** A text for the model, and what it brings into the conversation. */
export interface HeldText {
  /** Undefined if only the mark counts: the model may read the text elsewhere. */
  readonly text: string | undefined;
  readonly holds: readonly Content[];
}

/** What one program wants. */
export interface Said extends Pick<HookOutcome, "outcome" | "message"> {
  /** Why a call or a prompt is denied. */
  readonly denied?: string;
  /** Why a person is asked. */
  readonly asks?: string;
  readonly end?: StopSignal;
  /** What the model reads before its next answer. */
  readonly texts: readonly HeldText[];
  /** Why the run goes on. */
  readonly goOn?: HeldText;
}

/** Reads an ending as what the program wants. One that guards and has failed denies. */
export function saidBy(program: HookProgram, ending: Ending): Said {
  const { at } = program;
  const name = hookName(program);
  const holds = (program.holds ?? []).map((one) => ({ holds: one, source: `the hook ${name}` }));
  if ("failure" in ending) {
    const { failure } = ending;
    // It may quote what the program printed.
    const how = holds.length > 0 ? "" : `: ${failure}`;
    const denied = `The hook ${name}, which decides about this, failed${how}. Until it works, it lets nothing through: tell the person.`;
    return { outcome: "failed", message: line(failure), texts: [], ...(rulesOf(at).isGuard && { denied }) };
  }
  const { decision, reason, context, end, continue: more } = ending.answer;
  const told = context === undefined ? [] : [{ text: `The hook ${name} says:\n${context}`, holds }];
  const stop: { end?: StopSignal } =
    end === undefined ? {} : { end: { reason: "stop_requested", message: end, context: {}, source: `hook ${name}` } };
  if (decision === "deny")
    return { outcome: "denied", ...message(reason), ...denial(at, name, reason, holds, told), ...stop };
  if (decision === "ask") {
    // If the person denies, the model reads why they were asked.
    const marks = holds.length > 0 ? [{ text: undefined, holds }] : [];
    const why = reason === undefined ? "" : `: ${line(reason)}`;
    return {
      outcome: "asked",
      ...message(reason),
      asks: `The hook ${name} wants you to look at it${why}`,
      texts: [...told, ...marks],
      ...stop,
    };
  }
  if (end !== undefined) return { outcome: "ended", ...message(end), texts: told, ...stop };
  if (more !== undefined)
    return {
      outcome: "continued",
      ...message(more),
      texts: [],
      goOn: { text: `The hook ${name} says:\n${more}`, holds },
    };
  if (context !== undefined) return { outcome: "told", ...message(context), texts: told };
  return { outcome: "passed", texts: [] };
}

/** What a call's result says cannot be marked as untrusted, so a reason that is so follows it in a text of its own. */
function denial(
  at: HookProgram["at"],
  name: string,
  reason: string | undefined,
  holds: readonly Content[],
  told: readonly HeldText[],
): Pick<Said, "denied" | "texts"> {
  if (reason === undefined) return { denied: `The hook ${name} does not allow it.`, texts: told };
  if (at === "beforePrompt" || holds.length === 0) return { denied: `The hook ${name} says: ${reason}`, texts: told };
  const text = `The hook ${name} did not allow a call. It says:\n${reason}`;
  return { denied: `The hook ${name} does not allow it. Its reason follows.`, texts: [{ text, holds }, ...told] };
}

/** What all programs of a point want together. Each may deny, and what they say stands in their order. */
export function merged(said: readonly Said[]) {
  const denials = said.flatMap(({ denied }) => denied ?? []);
  const questions = said.flatMap(({ asks }) => asks ?? []);
  const more = said.flatMap(({ goOn }) => goOn ?? []);
  const [stop] = said.flatMap(({ end }) => end ?? []);
  return {
    denied: denials.length > 0 ? denials.join("\n") : undefined,
    asks: questions.length > 0 ? questions.join(" ") : undefined,
    stop,
    texts: said.flatMap(({ texts }) => texts),
    goOn:
      more.length > 0
        ? { text: more.flatMap(({ text }) => text ?? []).join("\n\n"), holds: more.flatMap(({ holds }) => holds) }
        : undefined,
  };
}

function message(text: string | undefined): { message?: string } {
  return text === undefined ? {} : { message: line(text) };
}

/** A text in one line, for a list. */
function line(text: string): string {
  const flat = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return flat.length > 300 ? `${flat.slice(0, 300).toWellFormed()}…` : flat;
}
