import { readConfig, userConfigFile } from "../config/config-file.ts";
import type { Project } from "../config/open-project.ts";
import { withinProject } from "../config/project.ts";
import { holdsSecret } from "./holds-secret.ts";
import type { ServerEntry } from "./server-entry.ts";

/** A server that counts, and where it is from. */
export interface PlacedServer {
  readonly name: string;
  readonly entry: ServerEntry;
  /** `yours`, or the file of the project that names it. */
  readonly place: string;
  readonly isOwn: boolean;
  /** Where it runs; undefined for the root of the agent. */
  readonly folder: string | undefined;
  /** The files of the project that it runs, as a person saw them. */
  readonly files: ReadonlyMap<string, string>;
}

/** The servers of a folder. */
export interface FoundServers {
  readonly servers: readonly PlacedServer[];
  /** Why one is left out, a sentence each. */
  readonly problems: readonly string[];
  /** Names in files of the project that do not count: no person trusts it. */
  readonly ignored: readonly string[];
  readonly findAbove: number | undefined;
}

function secretText({ name, place }: PlacedServer): string {
  return `The server ${name} of ${place} holds what looks like a key, which everybody reads who has the project. Write \${NAME} in its place, and keep the key with cogency config key set NAME.`;
}

/** What of a project is looked at. */
export type ServersProject = Pick<
  Project,
  "top" | "config" | "mcpJson" | "review" | "servers" | "trust" | "readConfig"
>;

/**
 * The servers that count in a folder: the person's own, which come first, then those of a project that is trusted. Those of a
 * configuration that the person names are their own, and stand in place of the project's.
 *
 * @throws UsageError for a configuration that cannot be used
 */
export function findServers(project: ServersProject, named: string | undefined): FoundServers {
  const ownConfigs = [userConfigFile(), ...(named === undefined ? [] : [named])].flatMap(
    (file) => readConfig(file) ?? [],
  );
  const own = ownConfigs.flatMap(({ mcp }) => Object.entries(mcp?.servers ?? {}));
  const theirs = named === undefined ? project.servers : [];
  const all: PlacedServer[] = [
    ...own.map(([name, entry]) => ({ name, entry, place: "yours", isOwn: true, folder: undefined, files: new Map() })),
    ...theirs.map(({ file, ...server }) => ({ ...server, place: withinProject(project, file), isOwn: false })),
  ];
  const servers: PlacedServer[] = [];
  const problems: string[] = [];
  for (const server of all) {
    const first = servers.find(({ name }) => name === server.name);
    if (first === undefined) {
      servers.push(server);
      if (!server.isOwn && holdsSecret(server.entry)) problems.push(secretText(server));
    } else
      problems.push(
        `The server ${server.name} of ${server.place} is left out: ${first.isOwn ? "yours" : `that of ${first.place}`} comes first.`,
      );
  }
  const { mcpJson } = project.review;
  if (named === undefined && mcpJson) {
    if ("error" in mcpJson) problems.push(mcpJson.error.message);
    else if (project.trust === "trusted") problems.push(...mcpJson.value.problems);
  }
  const isIgnored = named === undefined && project.trust !== "trusted";
  const projectLimit =
    named === undefined && project.trust === "trusted" ? project.readConfig()?.mcp?.findAbove : undefined;
  return {
    servers,
    problems,
    ignored: isIgnored ? project.review.servers.map(({ name }) => name) : [],
    findAbove: projectLimit ?? ownConfigs.findLast(({ mcp }) => mcp?.findAbove !== undefined)?.mcp?.findAbove,
  };
}
