import { dirname } from "node:path";
import { shellWord } from "../../base/terminal/shell-word.ts";
import type { ProjectFiles } from "../config/project.ts";
import { hookFiles } from "../hooks/hook-files.ts";
import type { McpJson } from "./mcp-json.ts";
import { isProgram, type McpSettings, type ServerEntry } from "./server-entry.ts";

/** A server of a project, as a person looks at it. */
export interface ReviewedServer {
  readonly name: string;
  readonly entry: ServerEntry;
  /** The file that names it. */
  readonly file: string;
  /** Where it runs. */
  readonly folder: string;
  /** The state of each file of the project that its command line names and may run, by real path. */
  readonly files: ReadonlyMap<string, string>;
}

/** The servers that a project configures, those of its `.mcp.json` last. */
export async function reviewedServers(
  { config, mcpJson }: Pick<ProjectFiles, "config" | "mcpJson">,
  settings: McpSettings | undefined,
  shared: McpJson | undefined,
): Promise<ReviewedServer[]> {
  const named = [
    ...listed(settings?.servers, config, dirname(dirname(config))),
    ...listed(shared?.servers, mcpJson, dirname(mcpJson)),
  ];
  return Promise.all(named.map(async (server) => ({ ...server, files: await serverFiles(server) })));
}

function listed(servers: McpSettings["servers"] = {}, file: string, folder: string) {
  return Object.entries(servers).map(([name, entry]) => ({ name, entry, file, folder }));
}

/** The state of each file below a folder that a server's command line names and may run. */
export async function serverFiles({
  entry,
  folder,
}: Pick<ReviewedServer, "entry" | "folder">): Promise<ReadonlyMap<string, string>> {
  if (!isProgram(entry)) return new Map();
  const command = [entry.command, ...(entry.args ?? [])].map(shellWord).join(" ");
  const [files = new Map<string, string>()] = await hookFiles(folder, [{ command }]);
  return files;
}
