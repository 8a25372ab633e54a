import type { Json, JsonObject } from "@cogency/protocol";
import { defineTool, type Tool } from "@cogency/tools";
import { McpError } from "../errors.ts";
import type { McpResource } from "../mcp.ts";
import type { McpServerOptions } from "../mcp-options.ts";
import type { InputRounds } from "../questions/input-rounds.ts";
import type { ServerLink } from "../server-link.ts";
import { plainText } from "../text/plain-text.ts";
import { fits } from "../tools/patterns.ts";
import { variablesOf } from "./list-resources.ts";
import { readResource } from "./read-resource.ts";

/** A server whose resources a model may list and read. */
export interface ResourceServer {
  readonly link: ServerLink;
  readonly rounds: InputRounds;
  readonly resources: readonly McpResource[];
  /** What it says about itself. */
  readonly instructions?: string | undefined;
}

/** The name under which `approval` of a server decides about reads. */
const readApproval = "resources/read";

/**
 * The tool that lists and reads the resources of all servers. Listing sends nothing. A read asks as a call of that server does: the server
 * gets the address. Servers that deny reads are not there.
 *
 * @param servers those that are ready, as they are now
 */
export function resourceTool(servers: () => readonly ResourceServer[]): Tool {
  const offered = () => servers().filter(({ link }) => decisionOf(link.options) !== "deny");
  return defineTool({
    name: "mcp_resources",
    description:
      "Lists the resources of MCP servers, or reads one. Without `uri` it lists 50 of them from `from` on, and with `server` only those of that server, with what the server says about itself. With `uri` and `server` it reads that resource. In the address of a template put values for its variables.",
    input: {
      type: "object",
      properties: {
        server: { type: "string" },
        uri: { type: "string", description: "the address of a resource; leave it out to list" },
        from: { type: "integer", minimum: 0, default: 0 },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    asks: true,
    cautions({ server, uri }) {
      const chosen = uri === undefined ? undefined : serverOf(server, offered());
      if (!chosen || decisionOf(chosen.link.options) === "allow") return [];
      return [`The server ${chosen.link.server} gets this address, and answers what it likes.`];
    },
    brings({ server, uri }) {
      const source = uri === undefined ? "the lists of MCP servers" : `${uri} of ${server} (MCP server)`;
      return [{ holds: "untrusted", source }];
    },
    reachesOut: ({ uri }) => uri !== undefined,
    execute({ server, uri, from }, context) {
      const found = offered();
      const chosen = serverOf(server, found);
      if (server !== undefined && !chosen) throw unknownServer(server, found);
      if (uri === undefined) return listed(chosen ? [chosen] : found, from, server === undefined ? undefined : chosen);
      if (!chosen) throw unknownServer("", found);
      return readResource(chosen.link, uri, { signal: context.signal, rounds: chosen.rounds, context });
    },
  }) as Tool;
}

/** The server of that name; without a name the only one. */
function serverOf(server: string | undefined, found: readonly ResourceServer[]): ResourceServer | undefined {
  if (server === undefined) return found.length === 1 ? found[0] : undefined;
  return found.find(({ link }) => link.server === server);
}

/** Resources that one call lists. */
const pageSize = 50;

function listed(servers: readonly ResourceServer[], from: number, chosen: ResourceServer | undefined): JsonObject {
  const all = servers.flatMap(({ resources }) => resources);
  const page = all.slice(from, from + pageSize);
  const next = from + page.length;
  return {
    resources: page.map(line),
    ...(next < all.length && { next, note: `${all.length - next} more: call again with from ${next}.` }),
    ...(chosen?.instructions !== undefined && { serverSays: plainText(chosen.instructions, longestInstructions).text }),
  };
}

const longestInstructions = 4000;
/** Characters of a description in a list. */
const longestDescription = 300;

function line({ server, uri, template, name, description, mediaType }: McpResource): Json {
  return {
    server,
    ...(uri !== undefined && { uri }),
    ...(template !== undefined && { template, variables: [...(variablesOf(template) ?? [])] }),
    name,
    ...(description !== undefined && { description: plainText(description, longestDescription).text }),
    ...(mediaType !== undefined && { mediaType }),
  };
}

function decisionOf({ approval = {} }: McpServerOptions): "allow" | "ask" | "deny" {
  return Object.entries(approval).find(([pattern]) => fits(pattern, readApproval))?.[1] ?? "ask";
}

function unknownServer(server: string, found: readonly ResourceServer[]): McpError {
  const names = found.map(({ link }) => link.server).join(", ");
  const there = names === "" ? "No server has resources now." : `These have: ${names}.`;
  const what =
    server === "" ? "Name the `server` of the resource." : `No server ${JSON.stringify(server)} has resources.`;
  return new McpError("not_found", server, `${what} ${there}`);
}
