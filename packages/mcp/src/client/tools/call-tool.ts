import type { JsonObject } from "@cogency/protocol";
import { isToolError, type ToolContext } from "@cogency/tools";
import {
  type CallToolResult,
  type Client,
  type Tool as Definition,
  type Progress,
  SdkHttpError,
} from "@modelcontextprotocol/client";
import { isUnreached, networkCode } from "../connection/connect-problem.ts";
import type { Connection } from "../connection/connection.ts";
import { McpError } from "../errors.ts";
import type { Answered, InputRounds } from "../questions/input-rounds.ts";
import { callAsTask, needsTask } from "../tasks/call-as-task.ts";
import { oneLine } from "../text/plain-text.ts";
import { createRate } from "../transport/rate.ts";
import { type CallLimit, callLimit } from "./call-limit.ts";
import { isSameDefinition } from "./definition-text.ts";
import { outputProblem } from "./output-check.ts";

export interface Calling {
  readonly connection: Connection;
  readonly definition: Definition;
  readonly args: JsonObject;
  /** The call of an agent; undefined outside of a run. */
  readonly context?: ToolContext | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Answers what the server asks in the middle of the call. */
  roundsOf(client: Client): InputRounds;
  /** The definition that the server has now under this name; undefined for none. */
  current(): Definition | undefined;
}

/**
 * Calls a tool of a server. The result fits its output schema.
 *
 * @throws McpError; the reason of the signal
 */
export async function callTool(calling: Calling): Promise<CallToolResult> {
  const { connection, definition, context, signal } = calling;
  const limit = callLimit(connection.settings.timeouts, signal);
  const inFlight = context && { tool: definition.name, context: pausing(context, limit) };
  if (inFlight) connection.calls.add(inFlight);
  try {
    const client = await connection.connected(limit.signal);
    checkUnchanged(calling);
    const result = await sentOnce(client, calling, limit, inFlight?.context);
    const problem = outputProblem(definition, result);
    if (problem === undefined) return result;
    throw new McpError(
      "protocol",
      connection.server,
      `The result of ${definition.name} is not what the server ${connection.server} promises: ${problem}.`,
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (isToolError(error)) throw error;
    throw limit.isOver ? tookTooLong(calling) : failed(calling, error);
  } finally {
    limit.end();
    if (inFlight) connection.calls.delete(inFlight);
  }
}

/** Sends the call, and once more where the server has forgotten the session: then it did not begin. */
async function sentOnce(
  client: Client,
  calling: Calling,
  limit: CallLimit,
  context: ToolContext | undefined,
): Promise<CallToolResult> {
  try {
    return await sent(client, calling, limit, context);
  } catch (error) {
    const isForgotten =
      error instanceof SdkHttpError && error.data.status === 404 && client.getProtocolEra() === "legacy";
    if (!isForgotten) throw error;
    await calling.connection.reconnect(client);
    const next = await calling.connection.connected(limit.signal);
    checkUnchanged(calling);
    return sent(next, calling, limit, context);
  }
}

function sent(
  client: Client,
  calling: Calling,
  limit: CallLimit,
  asking: ToolContext | undefined,
): Promise<CallToolResult> {
  const { definition, args, roundsOf } = calling;
  if (needsTask(client, definition)) return sentAsTask(client, calling, limit, asking);
  const { outputSchema: _, ...toolDefinition } = definition;
  const onprogress = progressTo(calling, limit);
  const send = (answered: Answered) =>
    client.callTool(
      { name: definition.name, arguments: args, ...answered },
      {
        toolDefinition,
        allowInputRequired: true,
        signal: limit.signal,
        // The time of a call is ours: that of the SDK goes on while a person is asked.
        timeout: longest,
        onprogress,
      },
    );
  return roundsOf(client).send(send, asking, limit.signal);
}

function sentAsTask(
  client: Client,
  calling: Calling,
  limit: CallLimit,
  asking: ToolContext | undefined,
): Promise<CallToolResult> {
  const { connection, definition, args } = calling;
  const begun = (id: string) => {
    const call = connection.inFlight.find((one) => one.context === asking);
    if (call) call.task = id;
  };
  const { server, settings } = connection;
  const { call: timeout, total } = settings.timeouts;
  const tell = progressTo(calling, limit);
  let updates = 0;
  const progress = (message: string) => tell({ progress: ++updates, message });
  return callAsTask(client, {
    server,
    name: definition.name,
    arguments: args,
    signal: limit.signal,
    timeout,
    total,
    begun,
    progress,
  });
}

/** Milliseconds: the longest that a timer takes. */
const longest = 2 ** 31 - 1;

function progressTo({ connection, context }: Calling, limit: CallLimit): (progress: Progress) => void {
  const rate = createRate(updatesPerMinute);
  return ({ progress, total, message }) => {
    limit.alive();
    if (!context || !rate.take()) return;
    context.progress({
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message: oneLine(connection.hide(message), 300) }),
    });
  };
}

const updatesPerMinute = 300;

/** The context of a call, in which the time of the call stands still while the person is asked. */
function pausing(context: ToolContext, limit: CallLimit): ToolContext {
  const ask = ((question: Parameters<ToolContext["ask"]>[0]) =>
    limit.whilePaused(() => context.ask(question as never) as Promise<unknown>)) as ToolContext["ask"];
  return { ...context, signal: limit.signal, ask };
}

function checkUnchanged({ connection, definition, current }: Calling): void {
  const now = current();
  if (now && isSameDefinition(now, definition)) return;
  const { server } = connection;
  const what = now ? "has changed" : "no longer has";
  throw new McpError(
    "not_found",
    server,
    `The server ${server} ${what} the tool ${oneLine(definition.name, 80)}. Nothing was called.`,
  );
}

function tookTooLong({ connection, definition }: Calling): McpError {
  const { server, settings } = connection;
  const { call } = settings.timeouts;
  return new McpError(
    "timeout",
    server,
    `The server ${server} did not finish ${oneLine(definition.name, 80)} in time (${call / 1000} s, or longer while it told its progress). It was told to stop; whether the call took effect is unknown.`,
  );
}

/** Where the connection ended, it is lost, and nobody knows what became of the call. */
function failed({ connection }: Calling, error: unknown): McpError {
  const { server, client, options } = connection;
  const known = connection.problem(error);
  if (error instanceof McpError || !["closed", "connect_failed"].includes(known.code)) return known;
  const how = connection.lastEnd === undefined ? "" : ` ${connection.lastEnd}.`;
  if (client && networkCode(error) !== undefined && options.connector.kind === "http")
    connection.lose(client, known.message);
  if (isUnreached(error)) return new McpError("connect_failed", server, `${known.message} Nothing was called.`);
  const ended =
    known.code === "closed" ? `The server ${server} ended in the middle of this call.${how}` : known.message;
  return new McpError("closed", server, `${ended} Whether it took effect is unknown.`);
}
