import type { JsonObject } from "@cogency/protocol";
import type { BatchOptions } from "../../src/host.ts";
import type { BatchContext, Executor, ExecutorOptions, Tool, ToolContext } from "../../src/index.ts";
import { createExecutor, createRegistry, defineTool } from "../../src/index.ts";

export const parallel: BatchOptions = { mode: "parallel", coerce: "json" };
export const sequential: BatchOptions = { mode: "sequential", coerce: "json" };

/** The surroundings of a batch in which nothing has happened yet. */
export function batchContext(more: Partial<BatchContext> = {}): BatchContext {
  return { conversation: "c1", user: "u1", ...more };
}

/** A tool that takes any arguments. */
export function freeTool(
  name: string,
  execute: (args: JsonObject, context: ToolContext) => unknown,
  more: Partial<Pick<Tool, "timeout" | "grace" | "annotations">> & { resource?: (args: JsonObject) => string[] } = {},
): Tool {
  return defineTool({ name, description: name, input: { type: "object" }, execute, ...more });
}

/** Gives its arguments back. */
export const echo = freeTool("echo", (args) => args);

/** What a tool returns that neither ends nor heeds its signal. */
export const never = () => new Promise<never>(() => {});

export function executorOf(tools: Tool[], options: Omit<ExecutorOptions, "registry"> = {}): Executor {
  return createExecutor({ registry: createRegistry(tools), ...options });
}
