import type { ResultLimit } from "../execution.ts";
import type { Registry } from "../registry.ts";
import type { Tool } from "../tool.ts";

/** The limit for the results of a tool. */
export type ResultLimits = (tool: Tool | undefined) => ResultLimit;

export function resultLimits(registry: Registry, maxResultBytes: number): ResultLimits {
  const reading = registry.has(reader) ? { reader } : {};
  const usual = { maxBytes: maxResultBytes, ...reading };
  return (tool) => (tool?.maxResultBytes === undefined ? usual : { maxBytes: tool.maxResultBytes, ...reading });
}

/** The name under which `readResultTool` is registered. */
export const reader = "read_result";
