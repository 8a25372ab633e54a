import type { Json } from "@cogency/protocol";
import type { Client, Prompt } from "@modelcontextprotocol/client";
import { listAll } from "../lists/list-all.ts";
import type { McpPrompt } from "../mcp.ts";
import { isPlain } from "../questions/quoted.ts";
import type { ListLimits } from "../resources/list-resources.ts";
import { hiddenIn } from "../text/hidden-in.ts";
import { oneLine } from "../text/plain-text.ts";

export interface PromptList {
  readonly prompts: readonly McpPrompt[];
  /** What was left out, a sentence each. */
  readonly problems: readonly string[];
}

/**
 * The prompts of a server, each name once. None for a server without.
 *
 * @throws what a request throws
 */
export async function listPrompts(client: Client, server: string, limits: ListLimits): Promise<PromptList> {
  if (!client.getServerCapabilities()?.prompts) return { prompts: [], problems: [] };
  const { items: most, timeout, signal, description, hide } = limits;
  const options = { timeout, ...(signal && { signal }) };
  const { items, problem } = await listAll("prompts", most, async (cursor) => {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: "prompts/list", params }, options);
    return { items: hiddenIn(page.prompts as Json, hide) as typeof page.prompts, nextCursor: page.nextCursor };
  });
  const problems = problem === undefined ? [] : [problem];
  const prompts = new Map<string, McpPrompt>();
  for (const prompt of items) {
    const { name, arguments: args = [] } = prompt;
    const names = [name, ...args.map((one) => one.name)];
    if (args.length > mostArguments || names.some((one) => !isName(one))) {
      problems.push(
        `The prompt ${JSON.stringify(oneLine(name, 80))} is left out: it has names that cannot be shown, or too many.`,
      );
    } else if (!prompts.has(name)) prompts.set(name, shownPrompt(server, prompt, description));
  }
  return { prompts: [...prompts.values()], problems };
}

const mostArguments = 50;

function isName(name: string): boolean {
  return name !== "" && name.length <= 200 && isPlain(name) && name === oneLine(name);
}

function shownPrompt(
  server: string,
  { name, title, description, arguments: args = [] }: Prompt,
  most: number,
): McpPrompt {
  return {
    server,
    name,
    ...(title !== undefined && { title: oneLine(title, 200) }),
    ...(description !== undefined && { description: oneLine(description, most) }),
    args: args.map((one) => ({
      name: one.name,
      ...(one.description !== undefined && { description: oneLine(one.description, most) }),
      required: one.required === true,
    })),
  };
}
