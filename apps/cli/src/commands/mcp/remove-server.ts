import { nearestNames } from "@cogency/protocol/options";
import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { changeServers, type ServerFile, serverFile, serversIn } from "./server-files.ts";

/** `cogency mcp remove`. @throws UsageError for a server that the file does not hold */
export async function removeServer(name: string, place: ServerFile): Promise<void> {
  const file = serverFile(place);
  await changeServers(place, (servers) => {
    if (!Object.hasOwn(servers, name)) {
      const where = `There is no server "${oneLine(name, 60)}" in ${oneLine(file, 300)}.`;
      throw new UsageError(`${where} ${adviceFor(name, place, Object.keys(servers))}`.trim());
    }
    const { [name]: _, ...rest } = servers;
    return rest;
  });
  note(`${name} is removed from ${file}.`);
}

/** Where it is, else what was meant. */
function adviceFor(name: string, { project }: ServerFile, names: readonly string[]): string {
  const other: ServerFile = project ? {} : { project: true };
  if (isIn(name, other))
    return project
      ? "It is in your own configuration: leave --project out."
      : "It is in .mcp.json of the project: add --project.";
  const [nearest] = nearestNames(name, names);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  return names.length === 0 ? "" : `There are ${oneLine(names.join(", "), 300)}.`;
}

function isIn(name: string, place: ServerFile): boolean {
  try {
    return Object.hasOwn(serversIn(place), name);
  } catch (error) {
    // What is wrong with the other file is not the question here.
    if (error instanceof UsageError) return false;
    throw error;
  }
}
