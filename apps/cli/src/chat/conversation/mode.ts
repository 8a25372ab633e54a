import type { SessionChoice } from "./chat-session.ts";

/** Whether calls that need permission ask, run, or are denied; `read-only`: the model has no tool that writes or runs something. */
export type Mode = "ask" | "yes" | "deny" | "read-only";

export function modeOf({ yes, deny, readOnly }: SessionChoice): Mode {
  if (readOnly) return "read-only";
  if (yes) return "yes";
  return deny ? "deny" : "ask";
}
