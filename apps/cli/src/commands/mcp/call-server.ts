import type { Attachment, Json, JsonObject } from "@cogency/protocol";
import { nearestNames } from "@cogency/protocol/options";
import { createExecutor, createRegistry, type Tool, toToolResult } from "@cogency/tools";
import type { Cancellation } from "../../base/cancellation.ts";
import { exitCodes } from "../../base/errors/exit-code.ts";
import { complain } from "../../base/errors/message-of.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { note } from "../../base/terminal/note.ts";
import { put, putLine } from "../../base/terminal/output.ts";
import type { Terminal } from "../../base/terminal/terminal.ts";
import { oneLine, visible } from "../../base/terminal/text.ts";
import { terminalAnswer } from "../../person/approval/terminal-answer.ts";
import type { Servers } from "../../work/mcp/servers.ts";
import { stateSentence } from "../../work/mcp/state-text.ts";
import { readArguments } from "../read-arguments.ts";
import { connected, type ServersOptions, withServers } from "./with-servers.ts";

/**
 * `cogency mcp call`: calls a tool of a server. The person who types it has agreed to the call. If the server asks something meanwhile, a
 * terminal shows the question; without a terminal the server is told that nobody can answer. The value goes to stdout, the reason of a
 * failure to stderr.
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
        complain(view ? stateSentence(view) : `The server ${server} is gone.`);
        return exitCodes.unexpected;
      }
      checkTool(server, tool, view.tools);
      const { isError, value, attachments = [] } = await called(servers.mcp, server, tool, args, argument, signal);
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

interface Called {
  readonly isError: boolean;
  readonly value: Json;
  readonly attachments?: readonly Attachment[];
}

type Client = NonNullable<Servers["mcp"]>;

/** Carries out a call as a run does, so that the server can ask; one whose name was changed for the model is only called. */
async function called(
  mcp: Client,
  server: string,
  name: string,
  args: JsonObject,
  argument: string,
  signal: AbortSignal,
): Promise<Called> {
  const tool = mcp.sources.flatMap((source) => source.tools()).find((one) => one.name === `${server}__${name}`);
  return tool === undefined ? mcp.call(server, name, args, { signal }) : executed(tool, args, argument, signal);
}

async function executed(tool: Tool, args: JsonObject, argument: string, signal: AbortSignal): Promise<Called> {
  const executor = createExecutor({
    registry: createRegistry([tool]),
    approval: { policy: () => "allow_anyway" },
    maxResultBytes: Number.POSITIVE_INFINITY,
  });
  const terminal = terminalFor(argument);
  const answer = terminal && terminalAnswer(terminal, { pause() {}, resume() {} });
  const [execution] = await executor.run([{ name: tool.name, args }], {
    conversation: "mcp call",
    signal,
    ...(answer && { answer }),
  });
  if (!execution) throw new Error("One call gives one execution.");
  const { status, content, attachments } = toToolResult(execution);
  return { isError: status === "failure", value: content, ...(attachments && { attachments }) };
}

/** Where a person can be asked; not where stdin holds the arguments. */
function terminalFor(argument: string): Terminal | undefined {
  const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
  return isTerminal && argument !== "-" ? { input: process.stdin, output: process.stderr } : undefined;
}

/** Offered names begin with that of the server. One that was made shorter is not looked for. */
function checkTool(server: string, tool: string, offered: readonly string[]): void {
  const names = offered.map((name) => name.slice(server.length + 2));
  if (names.includes(tool) || /[^\w-]/.test(tool) || tool.length > longestTool) return;
  const [nearest] = nearestNames(tool, names);
  const advice = nearest === undefined ? `It has ${names.join(", ") || "none"}.` : `Did you mean ${nearest}?`;
  throw new UsageError(oneLine(`The server ${server} has no tool "${oneLine(tool, 60)}". ${advice}`, 1000));
}

const longestTool = 30;

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}
