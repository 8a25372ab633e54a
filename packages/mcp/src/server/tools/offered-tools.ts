import { createRegistry, type Registry, type Tool, type ToolSource } from "@cogency/tools";
import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { resourceTurns } from "./resource-turns.ts";

/** The tools that a server offers, which may change between two requests. */
export interface OfferedTools {
  /** As they are now: the same object as long as nothing has changed. */
  registry(): Registry;
  /** Waits until a source has its tools, at most 2 s. */
  ready(): Promise<void>;
}

/** Milliseconds. */
const longestWait = 2000;

/**
 * @param onError hears what is wrong with a source, whose earlier tools then stay
 * @throws ToolError for a name that appears twice in what does not change
 */
export function offeredTools(
  given: readonly Tool[] | ToolSource | undefined,
  registry: Registry | undefined,
  more: readonly Tool[],
  onError: (error: Error) => void,
): OfferedTools {
  const inTurn = resourceTurns();
  const own = [...(registry ? registry.names().map((name) => registry.get(name)) : []), ...more];
  const source = isSource(given) ? given : undefined;
  const fixed = [...(isSource(given) ? [] : (given ?? [])), ...own].map(inTurn);
  let known = createRegistry(fixed);
  let seen: readonly Tool[] = [];

  return {
    registry() {
      try {
        const now = source?.tools() ?? seen;
        if (now.length === seen.length && now.every((tool, at) => tool === seen[at])) return known;
        seen = [...now];
        known = createRegistry(withoutRepeated([...fixed, ...now.map(inTurn)]));
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)));
      }
      return known;
    },
    async ready() {
      if (!source?.ready) return;
      const signal = AbortSignal.timeout(longestWait);
      const over = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      await Promise.race([source.ready(signal).catch(() => {}), over]);
    },
  };
}

/** The first tool of each name. */
function withoutRepeated(tools: readonly Tool[]): readonly Tool[] {
  return tools.filter(({ name }, at) => tools.findIndex((one) => one.name === name) === at);
}

function isSource(given: readonly Tool[] | ToolSource | undefined): given is ToolSource {
  return given !== undefined && !Array.isArray(given);
}

/**
 * A tool as clients list it: its schema is that of the tool, and names the dialect in which it is written.
 *
 * @param runsAsTask whether clients may call it as a task
 */
export function listedTool({ name, description, spec, annotations }: Tool, runsAsTask: boolean): ListedTool {
  const { title, ...hints } = annotations as Tool["annotations"] & { title?: unknown };
  const named = typeof title === "string" ? { title } : {};
  return {
    name,
    ...named,
    description,
    inputSchema: { $schema: dialect, ...(spec.parameters as ListedTool["inputSchema"]) },
    annotations: { ...named, ...hints },
    ...(runsAsTask && { execution: { taskSupport: "optional" } }),
  };
}

const dialect = "https://json-schema.org/draft/2020-12/schema";
