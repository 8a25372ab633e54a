import type { Json } from "@cogency/protocol";
import { type Client, type Resource, type ResourceTemplateType, UriTemplate } from "@modelcontextprotocol/client";
import { listAll } from "../lists/list-all.ts";
import type { McpResource } from "../mcp.ts";
import { isPlain } from "../questions/quoted.ts";
import { hiddenIn } from "../text/hidden-in.ts";
import { oneLine } from "../text/plain-text.ts";

export interface ListLimits {
  /** Of resources, and of templates. */
  readonly items: number;
  /** Characters of a description. */
  readonly description: number;
  /** Milliseconds for one page. */
  readonly timeout: number;
  /** Takes secrets of the host out of texts. */
  readonly hide: (text: string) => string;
  readonly signal?: AbortSignal | undefined;
}

export interface ResourceList {
  readonly resources: readonly McpResource[];
  /** What was left out, a sentence each. */
  readonly problems: readonly string[];
}

/**
 * The resources of a server, and then its templates. None for a server without.
 *
 * @throws what a request throws
 */
export async function listResources(client: Client, server: string, limits: ListLimits): Promise<ResourceList> {
  if (!client.getServerCapabilities()?.resources) return { resources: [], problems: [] };
  const { items, timeout, signal, hide } = limits;
  const options = { timeout, ...(signal && { signal }) };
  const resources = await listAll("resources", items, async (cursor) => {
    const page = await client.request({ method: "resources/list", params: cursorOf(cursor) }, options);
    return { items: hiddenIn(page.resources as Json, hide) as typeof page.resources, nextCursor: page.nextCursor };
  });
  const templates = await listAll("templates of resources", items, async (cursor) => {
    const page = await client.request({ method: "resources/templates/list", params: cursorOf(cursor) }, options);
    return {
      items: hiddenIn(page.resourceTemplates as Json, hide) as typeof page.resourceTemplates,
      nextCursor: page.nextCursor,
    };
  }).catch((error): { items: readonly ResourceTemplateType[]; problem?: string } => {
    // Many servers that have no templates do not know the request either.
    if ((error as { code?: unknown }).code === methodNotFound) return { items: [] };
    throw error;
  });
  const problems = [resources.problem, templates.problem].filter((problem) => problem !== undefined);
  const found = new Map<string, McpResource>();
  for (const one of resources.items) add(found, problems, one.uri, { uri: one.uri, ...about(server, one, limits) });
  for (const one of templates.items) {
    const isTemplate = variablesOf(one.uriTemplate) !== undefined;
    const key = isTemplate ? one.uriTemplate : "";
    add(found, problems, key, { template: one.uriTemplate, ...about(server, one, limits) });
  }
  return { resources: [...found.values()], problems };
}

/** The names that a template has values for; undefined for what is no template. */
export function variablesOf(template: string): readonly string[] | undefined {
  try {
    return [...new Set(new UriTemplate(template).variableNames)];
  } catch {
    return undefined;
  }
}

const methodNotFound = -32601;

function cursorOf(cursor: string | undefined): { cursor?: string } {
  return cursor === undefined ? {} : { cursor };
}

/** The first of two with one address counts. */
function add(found: Map<string, McpResource>, problems: string[], address: string, resource: McpResource): void {
  if (address === "" || address.length > longestAddress || !isPlain(address)) {
    problems.push(`The resource ${JSON.stringify(resource.name)} is left out: its address is none that can be shown.`);
  } else if (!found.has(address)) found.set(address, resource);
}

/** Characters of an address. */
export const longestAddress = 2000;

function about(server: string, given: Resource | ResourceTemplateType, { description: most }: ListLimits) {
  const { name, title, description, mimeType } = given;
  return {
    server,
    name: oneLine(title ?? name, 200),
    ...(description !== undefined && { description: oneLine(description, most) }),
    ...(mimeType !== undefined && { mediaType: oneLine(mimeType, 100) }),
  };
}
