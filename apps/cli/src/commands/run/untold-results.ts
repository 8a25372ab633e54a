import type { ToolResult } from "@cogency/protocol";

/**
 * The results of a batch whose calls nobody was told of as they ended: an earlier run had begun them. One that is stored
 * without its secrets is not the same any more; then it is known by its tool.
 */
export function untoldResults(results: readonly ToolResult[], told: readonly ToolResult[]): ToolResult[] {
  const rest = [...told];
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
