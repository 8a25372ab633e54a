import type { ToolResult } from "@cogency/protocol";

/**
 * Returns the results of a batch that were not shown when their calls ended, because an earlier run had begun the calls. A
 * result that was stored without its secrets differs from the one that was shown, so it is matched by its tool.
 */
export function unshownResults(results: readonly ToolResult[], shown: readonly ToolResult[]): ToolResult[] {
  const rest = [...shown];
  const isTaken = (fits: (one: ToolResult) => boolean) => {
    const index = rest.findIndex(fits);
    if (index >= 0) rest.splice(index, 1);
    return index >= 0;
  };
  const others = results.filter((result) => {
    const text = JSON.stringify(result);
    return !isTaken((one) => JSON.stringify(one) === text);
  });
  return others.filter(({ tool }) => !isTaken((one) => one.tool === tool));
}
