import { nearestNames } from "@cogency/protocol/options";
import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { openProject, type Project } from "../../place/config/open-project.ts";
import { type FoundServers, findServers } from "../../place/mcp/find-servers.ts";
import type { ServerChoice } from "../../work/mcp/server-options.ts";
import type { Servers, ServerView } from "../../work/mcp/servers.ts";

/** What a command of `cogency mcp` works with. */
export interface ServersOptions extends ServerChoice {
  readonly config?: string | undefined;
}

/** The servers that count in a folder, without a client. @throws UsageError for a configuration that cannot be used */
export async function serversHere({
  root,
  config,
}: ServersOptions): Promise<{ readonly project: Project; readonly found: FoundServers }> {
  const project = await openProject(root);
  return { project, found: findServers(project, config) };
}

/**
 * Makes the client of some servers, and closes it.
 *
 * @param name only this one; all if absent
 * @throws UsageError for a server that there is not
 */
export async function withServers<Result>(
  options: ServersOptions,
  name: string | undefined,
  use: (servers: Servers) => Promise<Result>,
): Promise<Result> {
  const { project, found } = await serversHere(options);
  const chosen = name === undefined ? found.servers : found.servers.filter((server) => server.name === name);
  if (name !== undefined && chosen.length === 0) throw unknownServer(name, found, project);
  const { makeServers } = await import("../../work/mcp/servers.ts");
  const servers = await makeServers(chosen, options);
  try {
    return await use(servers);
  } finally {
    await servers.close();
  }
}

/** Connects, and says what it waits for if that takes long. @returns all, as they are then */
export async function connected({ mcp, views }: Servers, signal: AbortSignal): Promise<readonly ServerView[]> {
  const timer = setTimeout(() => {
    const open = views().filter(({ status }) => status === "connecting");
    if (open.length > 0) note(`Still connecting: ${open.map(({ name }) => name).join(", ")}. Ctrl-C ends it.`);
  }, patience);
  try {
    await mcp?.connect({ signal });
  } finally {
    clearTimeout(timer);
  }
  return views();
}

/** Milliseconds. */
const patience = 3000;

/** Says which one was meant, or why that one does not count. */
export function unknownServer(
  name: string,
  { servers, ignored, problems }: FoundServers,
  { top }: Pick<Project, "top">,
): UsageError {
  if (ignored.includes(name))
    return new UsageError(
      `The server ${name} is of a project that is not trusted, so it is neither started nor reached. To look at it: cogency trust ${oneLine(top, 300)}`,
    );
  const names = servers.map((server) => server.name);
  const [nearest] = nearestNames(name, names);
  const advice =
    names.length === 0
      ? "There are none here: cogency mcp add adds one."
      : nearest === undefined
        ? `There are ${names.join(", ")}.`
        : `Did you mean ${nearest}?`;
  // It may stand in a file that cannot be read, or be the one that is left out.
  return new UsageError([`There is no server "${oneLine(name, 60)}". ${advice}`, ...problems].join(" "));
}
