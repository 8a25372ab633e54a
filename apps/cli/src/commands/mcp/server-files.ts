import { readRegularText } from "../../base/files/read-regular-file.ts";
import { isObject } from "../../base/is-object.ts";
import { changeJson } from "../../place/config/change-json.ts";
import { configOf, readConfig, userConfigFile } from "../../place/config/config-file.ts";
import { projectFiles } from "../../place/config/project.ts";
import { mcpJsonOf } from "../../place/mcp/mcp-json.ts";
import { isProgram, type ServerEntry } from "../../place/mcp/server-entry.ts";
import { keepTrust } from "../keep-trust.ts";

export interface ServerFile {
  /** In the `.mcp.json` of the project, and not in the person's configuration. */
  readonly project?: true;
}

/** Where a server is written. */
export function serverFile({ project }: ServerFile): string {
  return project ? projectFiles(".").mcpJson : userConfigFile();
}

/** The servers of a file that count. @throws UsageError for a file that is invalid */
export function serversIn(place: ServerFile): Readonly<Record<string, ServerEntry>> {
  const file = serverFile(place);
  if (!place.project) return readConfig(file)?.mcp?.servers ?? {};
  const text = readRegularText(file);
  return text === undefined ? {} : mcpJsonOf(file, text).servers;
}

/** Changes the servers of a file. @throws UsageError for a file that is invalid, and what `by` throws: then it stays as it is */
export async function changeServers(
  place: ServerFile,
  by: (servers: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Promise<void> {
  const file = serverFile(place);
  if (place.project)
    await keepTrust(() =>
      changeJson(
        file,
        0o644,
        (text) => mcpJsonOf(file, text),
        (content) => ({ ...content, mcpServers: by(objectIn(content.mcpServers)) }),
      ),
    );
  else
    await changeJson(
      file,
      0o600,
      (text) => configOf(file, text),
      ({ mcp, ...content }) => {
        const settings = objectIn(mcp);
        return { ...content, mcp: { ...settings, servers: by(objectIn(settings.servers)) } };
      },
    );
}

/** An entry as other agents read it, too. */
export function sharedEntry(entry: ServerEntry): object {
  return isProgram(entry) ? entry : { type: "http", ...entry };
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
