import type { JsonObject } from "@cogency/protocol";
import { createExecutor, createRegistry, type Tool, type ToolExecution } from "@cogency/tools";
import type { Observer } from "@cogency/tools/host";

interface RunOptions {
  signal?: AbortSignal;
  observer?: Observer;
}

/** Runs batches as an agent does, with an executor that allows everything. */
export function runner(tools: readonly Tool[]) {
  return async (calls: { name: string; args: JsonObject }[], { signal, observer }: RunOptions = {}) => {
    const executor = createExecutor({
      registry: createRegistry([...tools]),
      approval: { policy: () => "allow" },
      ...(observer && { observer }),
    });
    return executor.run(calls, { conversation: "test", ...(signal && { signal }) }) as Promise<ToolExecution[]>;
  };
}
