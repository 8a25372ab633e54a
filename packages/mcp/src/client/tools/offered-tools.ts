import type { Json } from "@cogency/protocol";
import type { Tool } from "@cogency/tools";
import { schemaProblem } from "@cogency/tools/host";
import type { Tool as Definition } from "@modelcontextprotocol/client";
import type { McpServerOptions } from "../mcp-options.ts";
import { oneLine } from "../text/plain-text.ts";
import { headerProblem } from "./header-problem.ts";
import { fitsAny } from "./patterns.ts";
import { schemaLimitProblem } from "./schema-of.ts";
import type { MadeTool } from "./server-tool.ts";
import { toolNames } from "./tool-names.ts";

export interface OfferedTools {
  readonly tools: readonly Tool[];
  /** The definitions that are offered, by the server's own names. */
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly problems: readonly string[];
}

export interface OfferSetup {
  readonly server: string;
  readonly options: McpServerOptions;
  /** Whether arguments may be sent as headers: to an address, since 2026-07-28. */
  readonly hasHeaders: boolean;
  /** Takes secrets of the host out of a text. */
  hide(text: string): string;
  /** @throws ToolError for a schema that cannot be applied */
  make(name: string, definition: Definition): MadeTool;
}

/** The tools of a server that the host uses, sorted by their names. */
export function offeredTools(listed: readonly Definition[], setup: OfferSetup): OfferedTools {
  const problems: string[] = [];
  const definitions = new Map<string, Definition>();
  const twice = new Set<string>();
  for (const definition of listed) {
    if (!isUsed(definition.name, setup.options)) continue;
    if (setup.hide(definition.name) !== definition.name) {
      problems.push("A tool is left out: its name holds a secret of the host.");
      continue;
    }
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
    const problem = problemOf(definition, setup);
    if (problem !== undefined) {
      problems.push(`The tool ${shown(own)} is left out: ${problem}.`);
      continue;
    }
    try {
      const made = setup.make(name, definition);
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
function problemOf({ inputSchema: schema }: Definition, { hasHeaders }: OfferSetup): string | undefined {
  const limit = schemaLimitProblem(schema);
  if (limit !== undefined) return limit;
  const header = hasHeaders ? headerProblem(schema as Json) : undefined;
  if (header !== undefined) return header;
  const wrong = schemaProblem(schema as Json);
  return wrong === undefined ? undefined : `its schema is wrong: ${oneLine(wrong)}`;
}

function isUsed(name: string, { tools, without = [] }: McpServerOptions): boolean {
  return (tools === undefined || fitsAny(tools, name)) && !fitsAny(without, name);
}

function shown(name: string): string {
  return JSON.stringify(oneLine(name, 60));
}
