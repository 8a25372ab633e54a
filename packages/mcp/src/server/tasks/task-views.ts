import type { JsonObject } from "@cogency/protocol";
import { type CallToolResult, type Task as ListedTask, RELATED_TASK_META_KEY } from "@modelcontextprotocol/server";
import type { Task } from "./task.ts";

/** Where `_meta` of a task names the conversation of an agent in which it works. */
const conversationKey = "cogency/conversation";

/** Characters of a status message. */
const longest = 2000;

/** A task as clients of 2025-11-25 read it. A call that failed is a task that failed. */
export function listedTask(task: Task): ListedTask & { _meta?: JsonObject } {
  return {
    taskId: task.id,
    status: task.status === "ended" ? (isFailure(task) ? "failed" : "completed") : task.status,
    ...said(task),
    ttl: task.ttl,
    pollInterval: interval(task),
  };
}

/** A task as clients of the extension of 2026-07-28 read it in the answer that creates it. */
export function createdTask(task: Task) {
  return { taskId: task.id, status: statusOf(task), ...said(task), ttlMs: task.ttl, pollIntervalMs: interval(task) };
}

/** As `createdTask`, with what the task waits for or has come to. Only an error of JSON-RPC is a failure. */
export function detailedTask(task: Task) {
  const { outcome } = task;
  const asks = [...task.asks].map(([key, { method, params }]) => [key, { method, params }]);
  return {
    ...createdTask(task),
    ...(task.status === "input_required" && { inputRequests: Object.fromEntries(asks) }),
    ...(task.status === "ended" && outcome),
  };
}

/** `_meta` of a message that belongs to a task. */
export function relatedTo({ id }: Task): JsonObject {
  return { [RELATED_TASK_META_KEY]: { taskId: id } };
}

function statusOf({ status, outcome }: Task) {
  if (status !== "ended") return status;
  return outcome && "error" in outcome ? "failed" : "completed";
}

function said(task: Task) {
  const message = messageOf(task);
  const { conversation } = task;
  return {
    ...(message !== undefined && { statusMessage: message.slice(0, longest).toWellFormed() }),
    createdAt: new Date(task.created).toISOString(),
    lastUpdatedAt: new Date(task.updated).toISOString(),
    ...(conversation !== undefined && { _meta: { [conversationKey]: conversation } }),
  };
}

function messageOf({ status, message, outcome }: Task): string | undefined {
  if (status === "cancelled") return "The client has cancelled it.";
  if (status === "input_required") return "It waits for an answer.";
  if (!outcome) return message;
  if ("error" in outcome) return outcome.error.message;
  return outcome.result.isError ? firstText(outcome.result) : undefined;
}

function isFailure({ outcome }: Task): boolean {
  return outcome !== undefined && ("error" in outcome || outcome.result.isError === true);
}

function firstText({ content }: CallToolResult): string | undefined {
  for (const block of content) if (block.type === "text") return block.text;
  return undefined;
}

/** Milliseconds until it is worth asking again: a tenth of what it has taken, so that short tasks are found soon and long ones ask little. */
function interval({ created }: Task): number {
  return Math.min(Math.max(Math.round((Date.now() - created) / 10), shortest), longestInterval);
}

const shortest = 200;
const longestInterval = 5000;
