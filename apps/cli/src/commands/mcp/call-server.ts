import type { Json } from "@cogency/protocol";
import { nearestNames } from "@cogency/protocol/options";
import type { Cancellation } from "../../base/cancellation.ts";
import { exitCodes } from "../../base/errors/exit-code.ts";
import { complain } from "../../base/errors/message-of.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import { oneLine, visible } from "../../base/terminal/text.ts";
import { stateText } from "../../work/mcp/state-text.ts";
import { readArguments } from "../read-arguments.ts";
import { connected, type ServersOptions, withServers } from "./with-servers.ts";

/**
 * `cogency mcp call`: calls a tool of a server. The person who types it has agreed to it, so it asks nothing. The value is on stdout, and
 * on stderr why a call failed.
 *
 * @returns the exit code: 1 if the call failed
 * @throws UsageError for an unknown server or tool, or arguments that are no JSON object
 */
export async function callServer(
  server: string,
  tool: string,
  argument: string,
  { json, ...options }: ServersOptions & { json?: true },
  cancellation: Cancellation,
): Promise<number> {
  const args = await readArguments(argument);
  const code = await withServers(options, server, (servers) =>
    cancellation.during(async (signal) => {
      const [view] = await connected(servers, signal);
      if (view?.status !== "ready" || !servers.mcp) {
        complain(`The server ${server} cannot be called: ${view ? stateText(view) : "it is gone"}`);
        return exitCodes.unexpected;
      }
      checkTool(server, tool, view.tools);
      const { isError, value, attachments = [] } = await servers.mcp.call(server, tool, args, { signal });
      if (json) await putLine({ isError, value, attachments });
      else if (isError) complain(textOf(value));
      else await put(`${visible(textOf(value)).trimEnd()}\n`);
      if (!json)
        for (const { mediaType, name } of attachments) note(`With an attachment: ${oneLine(name ?? mediaType, 100)}`);
      return isError ? exitCodes.unexpected : exitCodes.done;
    }),
  );
  return cancellation.exitCode === exitCodes.done ? code : cancellation.exitCode;
}

/** Offered names begin with that of the server. One that was made shorter is not looked for. */
function checkTool(server: string, tool: string, offered: readonly string[]): void {
  const names = offered.map((name) => name.slice(server.length + 2));
  if (names.includes(tool) || /[^\w-]/.test(tool) || tool.length > longestTool) return;
  const [nearest] = nearestNames(tool, names);
  if (nearest !== undefined)
    throw new UsageError(`The server ${server} has no tool "${oneLine(tool, 60)}". Did you mean ${nearest}?`);
}

const longestTool = 30;

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}
