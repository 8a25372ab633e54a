import type { Json } from "@cogency/protocol";
import type { Tool } from "@cogency/tools";
import { schemaProblem } from "@cogency/tools/host";
import type { Tool as Definition } from "@modelcontextprotocol/client";
import type { McpServerOptions } from "../mcp-options.ts";
import { oneLine } from "../text/plain-text.ts";
import { fitsAny } from "./patterns.ts";
import { schemaLimitProblem } from "./schema-of.ts";
import { type ServerToolSetup, serverTool } from "./server-tool.ts";
import { toolNames } from "./tool-names.ts";

export interface OfferedTools {
  readonly tools: readonly Tool[];
  /** The definitions that are offered, by the server's own names. */
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly problems: readonly string[];
}

/** What is the same for all tools of a server. */
export type OfferSetup = Omit<ServerToolSetup, "name" | "definition" | "execute"> & {
  executeFor(definition: Definition): ServerToolSetup["execute"];
};

/** The tools of a server that the host uses, sorted by their names. */
export function offeredTools(listed: readonly Definition[], setup: OfferSetup): OfferedTools {
  const problems: string[] = [];
  const definitions = new Map<string, Definition>();
  const twice = new Set<string>();
  for (const definition of listed) {
    if (!isUsed(definition.name, setup.options)) continue;
    if (definitions.has(definition.name)) twice.add(definition.name);
    else definitions.set(definition.name, definition);
  }
  for (const name of twice) {
    definitions.delete(name);
    problems.push(`The tool ${shown(name)} is left out: the server lists it more than once.`);
  }
  const { names, problems: renamed } = toolNames(setup.server, [...definitions.keys()]);
  problems.push(...renamed);
  const tools: Tool[] = [];
  const offered = new Map<string, Definition>();
  for (const [own, name] of names) {
    const definition = definitions.get(own) as Definition;
    const problem = problemOf(definition.inputSchema);
    if (problem !== undefined) {
      problems.push(`The tool ${shown(own)} is left out: ${problem}.`);
      continue;
    }
    try {
      const made = serverTool({ ...setup, name, definition, execute: setup.executeFor(definition) });
      tools.push(made.tool);
      problems.push(...made.problems);
      offered.set(own, definition);
    } catch (error) {
      problems.push(
        `The tool ${shown(own)} is left out: ${oneLine(error instanceof Error ? error.message : String(error))}`,
      );
    }
  }
  tools.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { tools, definitions: offered, problems };
}

/** A server that holds a model to the schemas of its tools would refuse a request with a wrong one, with all other tools in it. */
function problemOf(schema: Definition["inputSchema"]): string | undefined {
  const limit = schemaLimitProblem(schema);
  if (limit !== undefined) return limit;
  const wrong = schemaProblem(schema as Json);
  return wrong === undefined ? undefined : `its schema is wrong: ${oneLine(wrong)}`;
}

function isUsed(name: string, { tools, without = [] }: McpServerOptions): boolean {
  return (tools === undefined || fitsAny(tools, name)) && !fitsAny(without, name);
}

function shown(name: string): string {
  return JSON.stringify(oneLine(name, 60));
}
