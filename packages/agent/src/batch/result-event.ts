import type { ResultEvent, ToolResult } from "@cogency/protocol";

/**
 * Makes the result event of one batch. `ids` are those of the calls, in their order; `started` counts the tool bodies that began
 * (protocol.md §3).
 */
export function resultEvent(
  results: readonly ToolResult[],
  ids: readonly string[],
  started: number,
  timestamp: number,
): ResultEvent {
  const successes = results.filter((result) => result.status === "success").length;
  return {
    type: "result",
    content: JSON.stringify(results),
    payload: { tools_executed: started, success_count: successes, failure_count: results.length - successes },
    ids,
    timestamp,
  };
}
