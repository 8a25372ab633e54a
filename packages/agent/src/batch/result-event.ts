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
    // Their attachments stand in the `finished` records.
    content: JSON.stringify(results.map(({ tool, status, content }) => ({ tool, status, content }))),
    payload: { tools_executed: started, success_count: successes, failure_count: results.length - successes },
    ids,
    timestamp,
  };
}
