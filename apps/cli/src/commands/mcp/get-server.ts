import type { Cancellation } from "../../base/cancellation.ts";
import { exitCodes } from "../../base/errors/exit-code.ts";
import { note } from "../../base/terminal/note.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { tableLines } from "../../base/terminal/table-lines.ts";
import { widthOr } from "../../base/terminal/text.ts";
import { serverRows } from "../../work/mcp/server-rows.ts";
import { connected, type ServersOptions, withServers } from "./with-servers.ts";

/**
 * `cogency mcp get`: connects one server, and says all about it.
 *
 * @returns the exit code: 1 if it is not ready
 * @throws UsageError for a server that there is not
 */
export async function getServer(
  name: string,
  { json, ...options }: ServersOptions & { json?: true },
  cancellation: Cancellation,
): Promise<number> {
  const [view] = await withServers(options, name, (servers) =>
    cancellation.during((signal) => connected(servers, signal)),
  );
  if (cancellation.exitCode !== exitCodes.done || view === undefined) return cancellation.exitCode;
  if (json) await putLine(view);
  else {
    const lines = tableLines(serverRows(view), { columns: widthOr(process.stdout, Number.POSITIVE_INFINITY) });
    await put(lines.map((line) => `${line}\n`).join(""));
    for (const problem of view.problems) note(problem);
  }
  return view.status === "ready" || view.status === "disabled" ? exitCodes.done : exitCodes.unexpected;
}
