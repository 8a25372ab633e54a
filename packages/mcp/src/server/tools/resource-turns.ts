import { isPromise } from "@cogency/async";
import type { Tool, ToolContext } from "@cogency/tools";

/**
 * Lets calls of different requests that touch the same resource run one after another, as the calls of one batch do: a call with effects
 * waits for earlier ones, and one that only reads waits for those with effects. Approval comes before: a question holds up nobody.
 */
export function resourceTurns(): (tool: Tool) => Tool {
  /** By key: resolves when the last call with effects has ended. */
  const last = new Map<string, Promise<void>>();

  async function turn(keys: readonly string[], isShared: boolean, signal: AbortSignal): Promise<() => void> {
    const before = Promise.all(keys.map((key) => last.get(key))).then(() => {});
    const own = Promise.withResolvers<void>();
    const over = Promise.all([before, own.promise]).then(() => {
      for (const key of keys) if (last.get(key) === over) last.delete(key);
    });
    if (!isShared) for (const key of keys) last.set(key, over);
    try {
      await unlessAborted(before, signal);
      return own.resolve;
    } catch (error) {
      own.resolve();
      throw error;
    }
  }

  return (tool) => {
    if (!tool.resource) return tool;
    const isShared = tool.annotations.readOnlyHint === true;
    async function* execute(args: unknown, context: ToolContext) {
      const touched = (await tool.resource?.(args)) ?? [];
      const done = await turn([touched].flat(), isShared, context.signal);
      try {
        const result = tool.execute(args, context);
        return isSteps(result) ? yield* result : await result;
      } finally {
        done();
      }
    }
    return { ...tool, execute };
  };
}

function isSteps(result: unknown): result is AsyncGenerator<unknown, unknown> {
  const { next, return: end } = (result ?? {}) as Partial<Record<string, unknown>>;
  return !isPromise(result) && typeof next === "function" && typeof end === "function";
}

function unlessAborted(before: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    before.then(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
  });
}
