import type { HookOutcome } from "@cogency/hook-programs";

/** What a person must know of what a hook did, in one line; undefined if they see it otherwise, or if it is nothing. */
export function outcomeLine({ hook, at, tool, outcome, message }: HookOutcome): string | undefined {
  const why = message === undefined ? "." : `: ${message}`;
  switch (outcome) {
    case "denied":
      // A prompt that was refused is told by the run.
      return tool === undefined ? undefined : `The hook ${hook} did not allow a call of ${tool}${why}`;
    case "failed":
      return `The hook ${hook} failed ${moments[at]}${tool === undefined ? "" : ` of ${tool}`}${lost(at)}${why}`;
    case "ended":
      return `The hook ${hook} ended the work${why}`;
    case "continued":
      return `The hook ${hook} made the agent go on${why}`;
    default:
      return undefined;
  }
}

const moments: Readonly<Record<HookOutcome["at"], string>> = {
  beforePrompt: "before your words were sent",
  beforeRun: "when the work began",
  beforeToolUse: "before a call",
  afterToolUse: "after a call",
  onQuestion: "when a question came, about a call",
  onStop: "before the end",
  afterRun: "at the end",
};

function lost(at: HookOutcome["at"]): string {
  if (at === "beforeToolUse") return ", which was not run";
  return at === "beforePrompt" ? ", which were not sent" : "";
}
