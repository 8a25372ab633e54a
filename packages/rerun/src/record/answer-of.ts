import type { ToolResult } from "@cogency/protocol";
import { withAttachments } from "@cogency/tools";

/** What a body did: it returned a value, or threw an error. */
export type BodyAnswer = { readonly value: unknown } | { readonly error: Error };

/** What a body did that had this result. */
export function answerOf({ status, content, attachments }: Omit<ToolResult, "tool">): BodyAnswer {
  if (status === "failure") return { error: new Error(String(content)) };
  return { value: attachments ? withAttachments(content, attachments) : content };
}

/** The hook that answers calls runs after all others, which may change a call as they had changed the recorded one. */
export const afterOtherHooks = Number.MIN_SAFE_INTEGER;
