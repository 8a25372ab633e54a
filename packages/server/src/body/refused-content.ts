import type { MessageContent } from "@cogency/storage";
import { isToolError } from "@cogency/tools";
import { Problem } from "../problem.ts";

/** The problem where the agent refused what a message brings, whose sender reads why; any other error unchanged. */
export function refusedContent(error: unknown, content: MessageContent): unknown {
  if (!("attachments" in content || "tools" in content)) return error;
  const isTaken = isToolError(error) && error.code === "name_taken";
  if (!isTaken && !(error instanceof TypeError) && !(error instanceof RangeError)) return error;
  return new Problem("invalid_request", error.message, { cause: error });
}
