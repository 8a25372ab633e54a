import type { Tool } from "@cogency/tools";
import { noteOnce } from "../base/terminal/note.ts";
import type { AskedTools } from "../person/approval/approval.ts";
import { keepAsked } from "../place/definitions/asked-definitions.ts";
import type { PlacedServer } from "../place/mcp/find-servers.ts";

/**
 * Keeps for other processes what servers say of the tools that a run asks about.
 *
 * @param scope that of the run's conversations
 */
export function askedTools(scope: string, servers: readonly Pick<PlacedServer, "name" | "place">[]): AskedTools {
  const kept = new WeakSet<Tool>();
  const placeOf = ({ name, definedBy }: Tool) =>
    definedBy === undefined ? undefined : servers.find((server) => server.name === name.split("__", 1)[0])?.place;
  return {
    placeOf,
    keep(tool) {
      if (kept.has(tool)) return;
      const problem = keepAsked(tool, scope, placeOf(tool));
      if (problem === undefined) kept.add(tool);
      else
        noteOnce(
          `What servers say of their tools is shown in this process only, because it cannot be kept: ${problem}`,
        );
    },
  };
}
