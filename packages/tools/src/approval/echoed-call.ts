import type { LogEvent, ToolCall } from "@cogency/protocol";
import { reader } from "../result/result-limits.ts";
import type { Tool } from "../tool.ts";
import { callMatcher } from "./call-matcher.ts";
import { type EchoText, echoTexts } from "./echo-texts.ts";

/**
 * Tells of a call where its text stands in an earlier tool result or in untrusted input of the conversation, as it does
 * when a model copies a call that somebody planted in a web page; undefined where it stands nowhere. Such a call must not
 * be approved automatically.
 *
 * A call occurs where its name stands with exactly its arguments in a form in which calls are written (`callMatcher`), in
 * any order, however white space, quotes, escapes (also of JSON within a JSON string, and of URLs) and HTML entities spell
 * it. The name alone, or a value alone, is no echo. In doubt, on text made to take long, the answer is yes. This is a trip
 * wire: a call that is described, encoded or put together from pieces is not found.
 *
 * A call of the registry's own reader of results, with the id of a result of this log, is none: the note of a shortened result
 * tells the model to make that very call, and it gives nothing but what the conversation holds.
 *
 * The texts are read at the first call that is checked, and each event only once for all detectors. Work is linear in
 * the texts, and in texts without the beginnings of a call next to nothing.
 */
export function createEchoDetector(events: readonly LogEvent[]): (call: ToolCall, tool?: Tool) => string | undefined {
  let texts: readonly EchoText[] | undefined;
  return (call, tool) => {
    if (readsResult(call, tool) && events.some((event) => isResultOf(event, call.args.id))) return undefined;
    texts ??= events.flatMap(echoTexts);
    if (texts.length === 0) return undefined;
    const occursIn = callMatcher(call);
    return texts.find(({ text }) => occursIn(text))?.source;
  };
}

function readsResult({ name }: ToolCall, tool: Tool | undefined): boolean {
  return name === reader && tool?.name === name && tool.annotations.readOnlyHint === true;
}

/** A log from elsewhere may hold a record of nothing. */
function isResultOf(event: LogEvent, id: unknown): boolean {
  return event.type === "record" && event.kind === "finished" && event.data?.id === id && id !== undefined;
}
