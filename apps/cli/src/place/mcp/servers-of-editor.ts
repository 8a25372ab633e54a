import type { NamedServer } from "@cogency/acp";
import { oneLine } from "../../base/terminal/text.ts";
import type { FoundServers, PlacedServer } from "./find-servers.ts";
import { isServerName, mostServers, serverProblem } from "./mcp-problem.ts";
import type { ServerEntry } from "./server-entry.ts";

/** The place of a server that an editor names. */
export const ofEditor = "your editor";

/**
 * The servers that count in a session of an editor: those of the folder, then those that the editor names. These stand in the person's
 * configuration of the editor, and no project can name them, so they are the person's own.
 */
export function withServersOfEditor(found: FoundServers, named: readonly NamedServer[]): FoundServers {
  const servers = [...found.servers];
  const problems = [...found.problems];
  for (const server of named) {
    const name = nameOf(server.name);
    const first = servers.find((one) => one.name === name);
    const entry = entryOf(server);
    const problem =
      name === undefined
        ? `The server "${oneLine(server.name, 60)}" of your editor is left out: its name has no letter.`
        : first !== undefined
          ? `The server ${name} of your editor is left out: ${first.isOwn ? "another one of yours" : `that of ${first.place}`} has this name.`
          : servers.length >= mostServers
            ? `The server ${name} of your editor is left out: at most ${mostServers} are used.`
            : serverProblem(name, entry, `The server ${name} of your editor`);
    if (problem !== undefined || name === undefined) problems.push(problem ?? "");
    else servers.push({ name, entry, ...own });
  }
  return { ...found, servers, problems };
}

const own: Omit<PlacedServer, "name" | "entry"> = {
  place: ofEditor,
  isOwn: true,
  folder: undefined,
  files: new Map(),
};

/** Editors take any text as the name of a server; names of tools and prompts begin with ours. */
function nameOf(given: string): string | undefined {
  const name = given
    .replace(/[^a-z0-9_-]+/gi, "-")
    .replace(/_{2,}/g, "_")
    .replace(/^[^a-z]+/i, "")
    .slice(0, 30)
    .replace(/[-_]+$/, "");
  return isServerName(name) ? name : undefined;
}

function entryOf(server: NamedServer): ServerEntry {
  if (server.type === "stdio") return { command: server.command, args: server.args, env: server.env };
  return { url: server.url, headers: server.headers };
}
