import type { LogEvent, ToolCall } from "@cogency/protocol";
import { callMatcher } from "./call-matcher.ts";
import { echoTexts } from "./echo-texts.ts";

/**
 * Tells of a call whether its text occurs in an earlier tool result of the conversation, as it does when a model copies
 * a call that somebody planted in a web page. Such a call must not be approved automatically.
 *
 * A call occurs where its name stands beside exactly its arguments, in either dialect, in any key order, however white
 * space, quotes, escapes (also of JSON within a JSON string) and HTML entities spell it. The name alone, or a value
 * alone, is no echo. In doubt, on text made to take long, the answer is yes.
 *
 * The results are read at the first call that is checked, and each event only once for all detectors. Work is linear
 * in the results, and in results without the beginnings of a call next to nothing.
 */
export function createEchoDetector(events: readonly LogEvent[]): (call: ToolCall) => boolean {
  let texts: readonly string[] | undefined;
  return (call) => {
    texts ??= events.flatMap(echoTexts);
    if (texts.length === 0) return false;
    const occursIn = callMatcher(call);
    return texts.some(occursIn);
  };
}
