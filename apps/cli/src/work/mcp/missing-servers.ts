import { oneLine } from "../../base/terminal/text.ts";
import type { Servers } from "./servers.ts";
import { stateSentence } from "./state-text.ts";

/** The servers that a run goes without, a sentence each. One that does not connect stops no run, and the person should know of it. */
export function missingServers(servers: Servers | undefined): string[] {
  const views = servers?.views() ?? [];
  return views
    .filter(({ status }) => status !== "ready" && status !== "disabled")
    .map((view) =>
      view.status === "connecting"
        ? `The server ${view.name} was still connecting.`
        : oneLine(stateSentence(view), 500),
    );
}
