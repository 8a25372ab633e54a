import type { Cancellation } from "../../base/cancellation.ts";
import { exitCodes } from "../../base/errors/exit-code.ts";
import { note } from "../../base/terminal/note.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { tableLines } from "../../base/terminal/table-lines.ts";
import { counted, oneLine, widthOr } from "../../base/terminal/text.ts";
import { withinProject } from "../../place/config/project.ts";
import type { ServerView } from "../../work/mcp/servers.ts";
import { stateText } from "../../work/mcp/state-text.ts";
import { connected, type ServersOptions, serversHere, withServers } from "./with-servers.ts";

/**
 * `cogency mcp list`: connects the servers that count here, and says how each is.
 *
 * @returns the exit code: 1 if one failed
 */
export async function listServers(
  { json, ...options }: ServersOptions & { json?: true },
  cancellation: Cancellation,
): Promise<number> {
  const { project, found } = await serversHere(options);
  const views = await withServers(options, undefined, (servers) =>
    cancellation.during((signal) => connected(servers, signal)),
  );
  if (json) await putLine(views);
  else await put(views.length === 0 ? none : textOf(views));
  for (const problem of found.problems) note(problem);
  for (const { name, problems } of views) for (const problem of problems) note(`${name}: ${problem}`);
  if (found.ignored.length > 0)
    note(
      `Not looked at: ${counted(found.ignored.length, "server")} of this folder (${found.ignored.join(", ")}), which is not trusted. Nothing of them was started or reached. To look at them: cogency trust ${oneLine(withinProject(project, ".") || project.top, 300)}`,
    );
  if (cancellation.exitCode !== exitCodes.done) return cancellation.exitCode;
  return views.some(({ status }) => status !== "ready" && status !== "disabled")
    ? exitCodes.unexpected
    : exitCodes.done;
}

const none =
  "There are no servers here. To add one: cogency mcp add <name> -- <command>, or cogency mcp add <name> <url>\n";

function textOf(views: readonly ServerView[]): string {
  const rows = views.map((view) => [
    `${signs[view.status] ?? "✗"} ${view.name}`,
    oneLine(stateText(view), 500),
    oneLine(view.place, 100),
    oneLine(view.identity, 200),
  ]);
  const lines = tableLines(rows, { columns: widthOr(process.stdout, Number.POSITIVE_INFINITY) });
  return lines.map((line) => `${line}\n`).join("");
}

const signs: { readonly [status in ServerView["status"]]?: string } = { ready: "✓", disabled: "-", needs_login: "!" };
