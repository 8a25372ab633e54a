import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { changeServers, type ServerFile, serverFile } from "./server-files.ts";

/** `cogency mcp remove`. @throws UsageError for a server that the file does not hold */
export async function removeServer(name: string, place: ServerFile): Promise<void> {
  const file = serverFile(place);
  await changeServers(place, (servers) => {
    if (!Object.hasOwn(servers, name)) {
      const advice = place.project ? "" : " One of the project's .mcp.json is removed with --project.";
      throw new UsageError(`There is no server "${oneLine(name, 60)}" in ${oneLine(file, 300)}.${advice}`);
    }
    const { [name]: _, ...rest } = servers;
    return rest;
  });
  note(`${name} is removed from ${file}.`);
}
