import { startTimer, wait } from "@cogency/async";
import { type CallToolResult, type Client, isCallToolResult, type Tool } from "@modelcontextprotocol/client";
import { McpError } from "../errors.ts";
import { fieldsOf } from "../questions/fields-of.ts";
import { oneLine } from "../text/plain-text.ts";
import { asItCame } from "../transport/as-it-came.ts";

export interface TaskCall {
  readonly server: string;
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  readonly signal: AbortSignal;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** Milliseconds in all. */
  readonly total: number;
  /** Called with the id of the task. */
  readonly begun?: (id: string) => void;
  /** Called with each new sentence that the server says about the state. */
  readonly progress?: (message: string) => void;
}

/**
 * Whether a tool runs only as a task: of the revision 2025-11-25, with a server that has tasks. The extension of 2026-07-28 is not
 * declared, so no server of it answers with one.
 */
export function needsTask(client: Client, tool: Tool): boolean {
  const { requests } = fieldsOf(fieldsOf(client.getServerCapabilities()).tasks);
  const hasTasks = fieldsOf(fieldsOf(requests).tools).call !== undefined;
  return client.getProtocolEra() !== "modern" && hasTasks && tool.execution?.taskSupport === "required";
}

/**
 * Calls a tool as a task: asks for its state at the interval that the server names until it has ended, and then for its result. Questions
 * of the task come as requests meanwhile. When the signal aborts, the server is told to cancel it.
 *
 * @throws McpError `timeout`, `protocol`, `tool_failed`; what a request throws; the reason of the signal
 */
export async function callAsTask(client: Client, call: TaskCall): Promise<CallToolResult> {
  const { server, name, signal, timeout, total } = call;
  const controller = new AbortController();
  const overdue = startTimer(total, () => {
    const message = `The task of ${name} did not end in ${total / 1000} s. The server ${server} was told to cancel it.`;
    controller.abort(new McpError("timeout", server, message));
  });
  const either = AbortSignal.any([signal, controller.signal]);
  const options = { signal: either, timeout };
  let id: string | undefined;
  try {
    const params = { name, arguments: call.arguments, task: { ttl: total } };
    const created = await client.request({ method: "tools/call", params }, asItCame, options);
    const begun = fieldsOf(created).task;
    if (begun === undefined) return resultOf(server, name, created);
    let state = stateOf(server, begun);
    id = state.id;
    call.begun?.(id);
    let told: string | undefined;
    while (state.status === "working") {
      if (state.message !== undefined && state.message !== told) call.progress?.(state.message);
      told = state.message;
      await wait(state.interval, either);
      either.throwIfAborted();
      const next = await client.request({ method: "tasks/get", params: { taskId: id } }, asItCame, options);
      state = stateOf(server, next, id);
    }
    if (state.status === "cancelled")
      throw new McpError("tool_failed", server, `The server ${server} cancelled the task of ${name}.`);
    // A task that needs input asks while its result is waited for.
    const limit = { signal: either, timeout: state.status === "input_required" ? total : timeout };
    return resultOf(
      server,
      name,
      await client.request({ method: "tasks/result", params: { taskId: id } }, asItCame, limit),
    );
  } catch (error) {
    if (!either.aborted) throw error;
    if (id !== undefined) cancel(client, id);
    throw either.reason;
  } finally {
    overdue.stop();
  }
}

function cancel(client: Client, taskId: string): void {
  const params = { taskId };
  client.request({ method: "tasks/cancel", params }, asItCame, { timeout: patience }).catch(() => {});
}

/** Milliseconds that the answer to a cancellation may take. */
const patience = 5000;

interface TaskState {
  readonly id: string;
  readonly status: "working" | "input_required" | "completed" | "failed" | "cancelled";
  readonly message: string | undefined;
  /** Milliseconds until the next request. */
  readonly interval: number;
}

const statuses: readonly unknown[] = ["working", "input_required", "completed", "failed", "cancelled"];

/** @param known the id of the task, if it has one already: a server cannot answer for another task */
function stateOf(server: string, given: unknown, known?: string): TaskState {
  const { taskId, status, statusMessage, pollInterval } = fieldsOf(given);
  const isId = typeof taskId === "string" && taskId !== "" && taskId.length <= longestId;
  if (!isId || !statuses.includes(status) || (known !== undefined && taskId !== known)) {
    throw new McpError(
      "protocol",
      server,
      `The server ${server} answered with a task that is none, or with another one.`,
    );
  }
  return {
    id: taskId,
    status: status as TaskState["status"],
    message: typeof statusMessage === "string" ? oneLine(statusMessage) : undefined,
    interval: typeof pollInterval === "number" ? Math.min(Math.max(pollInterval, 50), 10_000) : 1000,
  };
}

const longestId = 500;

function resultOf(server: string, name: string, given: unknown): CallToolResult {
  const result = { content: [], ...fieldsOf(given) };
  if (isCallToolResult(result)) return result;
  throw new McpError(
    "protocol",
    server,
    `The server ${server} answered the call of ${name} with something that is no result.`,
  );
}
