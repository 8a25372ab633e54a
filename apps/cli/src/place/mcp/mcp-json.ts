import { UsageError } from "../../base/errors/usage-error.ts";
import { parseJson } from "../../base/files/parse-json.ts";
import { isObject } from "../../base/is-object.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { mostServers, serverProblem } from "./mcp-problem.ts";
import type { ServerEntry } from "./server-entry.ts";

/** The name of the file in which agents of all makers look for the servers of a project. */
export const mcpJsonName = ".mcp.json";

/** The servers of such a file, and why some of it are left out. */
export interface McpJson {
  readonly servers: Readonly<Record<string, ServerEntry>>;
  /** A sentence each. */
  readonly problems: readonly string[];
}

/**
 * Reads the text of a `.mcp.json`: `{ "mcpServers": { … } }`. What other agents write there for themselves, such as which tools never ask,
 * is ignored: it is for them, and here a person says that.
 *
 * @throws UsageError with the file for a text that is something else
 */
export function mcpJsonOf(file: string, text: string): McpJson {
  const content = parseJson(file, text);
  const { mcpServers } = isObject(content) ? content : {};
  if (!isObject(mcpServers))
    throw new UsageError(`${oneLine(file, 300)}: it has to be one JSON object with the key mcpServers.`);
  const servers: Record<string, ServerEntry> = {};
  const problems: string[] = [];
  for (const [name, given] of Object.entries(mcpServers).slice(0, mostServers)) {
    const entry = entryOf(given);
    const quoted = JSON.stringify(name);
    const problem = typeof entry === "string" ? `${quoted} ${entry}` : serverProblem(name, entry, quoted);
    if (problem !== undefined) problems.push(oneLine(`A server of ${mcpJsonName} is left out: ${problem}`, 400));
    else servers[name] = entry as ServerEntry;
  }
  const more = Object.keys(mcpServers).length - mostServers;
  if (more > 0) problems.push(`${more} servers after the first ${mostServers} are left out.`);
  return { servers, problems };
}

/** What the convention knows of a server, as an entry of ours; a text says why it is none, with the server as its subject. */
function entryOf(given: unknown): unknown {
  if (!isObject(given)) return "has to be an object.";
  const { type, command, args, env, cwd, url, headers, disabled } = given;
  const isAddress = typeof type === "string" && ["http", "sse", "streamable-http", "streamableHttp"].includes(type);
  if (type !== undefined && type !== "stdio" && !isAddress)
    return `has the type ${JSON.stringify(type)}, which there is not. There are stdio, http, sse and streamable-http.`;
  const fields =
    isAddress || (type === undefined && command === undefined) ? { url, headers } : { command, args, env, cwd };
  return Object.fromEntries(
    Object.entries({ ...fields, ...(disabled === true && { disabled }) }).filter(([, value]) => value !== undefined),
  );
}
