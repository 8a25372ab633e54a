import {
  type JSONRPCRequest,
  type Notification,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type ServerContext,
  type StandardSchemaV1,
} from "@modelcontextprotocol/server";
import type { Offered } from "../offered.ts";
import type { ServingParts } from "../serve-request.ts";
import { whenAborted } from "../serving.ts";
import { taskStarter } from "./start-task.ts";
import type { Task } from "./task.ts";
import { taskChannel } from "./task-channel.ts";
import { firstWithTasks, type TaskServer } from "./task-server.ts";
import { listedTask, relatedTo } from "./task-views.ts";
import type { TaskOwner } from "./tasks.ts";

/** What clients of 2025-11-25 can do with tasks. */
export const taskCapability = { list: {}, cancel: {}, requests: { tools: { call: {} } } };

/** Whether the client of a server speaks a revision that has tasks. */
export function speaksTasks(server: TaskServer): boolean {
  return (server.getNegotiatedProtocolVersion() ?? "") >= firstWithTasks;
}

/** Serves tasks as 2025-11-25 has them: the client asks for one with its call. */
export function serveTasks(
  server: TaskServer,
  offered: Offered,
  parts: ServingParts,
  owner: TaskOwner,
  tell: (notification: Notification) => Promise<void>,
): void {
  const { tasks } = offered;
  const notify = (task: Task, notification: Notification) => {
    const { channel } = task;
    return channel ? channel.notify(notification) : tell(notification);
  };
  const starter = taskStarter(offered, parts, owner, {
    notify(task, { method, params }) {
      const _meta = { ...params?._meta, ...relatedTo(task) };
      return notify(task, { method, params: { ...params, _meta } });
    },
    log(task, level, data, logger) {
      const line = { level, data, ...(logger !== undefined && { logger }), _meta: relatedTo(task) };
      return server.sendLoggingMessage(line, server.transport?.sessionId);
    },
  });

  async function start(ctx: ServerContext, call: TaskCall): Promise<Result> {
    const { name, ttl } = call;
    if (!offered.asTasks.has(name)) {
      throw new ProtocolError(
        ProtocolErrorCode.MethodNotFound,
        `${name} does not run as a task. Call it without \`task\`.`,
      );
    }
    const task = await starter.start(ctx, call, ttl);
    if ("problem" in task) throw new ProtocolError(ProtocolErrorCode.InternalError, task.problem);
    task.onStatus = () => {
      const params = { ...listedTask(task) };
      notify(task, { method: "notifications/tasks/status", params }).catch(() => {});
    };
    return { task: listedTask(task), _meta: relatedTo(task) };
  }

  /** Waits for the outcome, and asks what the task wants to know meanwhile. */
  async function result(ctx: ServerContext, id: unknown): Promise<Result> {
    const task = tasks.find(owner.of, id);
    if (!task.outcome) {
      const channel = taskChannel(task, ctx, parts.patience);
      task.open(channel);
      try {
        await Promise.race([task.ended, whenAborted(ctx.mcpReq.signal)]);
      } finally {
        task.close(channel);
      }
    }
    return given(task);
  }

  server.beginTask = async ({ params }: JSONRPCRequest, ctx) => {
    const call = speaksTasks(server) ? taskCall(params) : undefined;
    return call && start(ctx, call);
  };
  const handle = (method: string, answer: (params: Params, ctx: ServerContext) => Result | Promise<Result>) =>
    server.setRequestHandler(method, { params: anything }, (params, ctx) => {
      if (!speaksTasks(server)) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "Method not found");
      return answer(params, ctx);
    });
  handle("tasks/get", ({ taskId }) => ({ ...listedTask(tasks.find(owner.of, taskId)) }));
  handle("tasks/result", ({ taskId }, ctx) => result(ctx, taskId));
  handle("tasks/list", ({ cursor }) => {
    const { tasks: page, ...next } = tasks.page(owner.of, cursor);
    return { tasks: page.map(listedTask), ...next };
  });
  handle("tasks/cancel", ({ taskId }) => {
    const task = tasks.find(owner.of, taskId);
    if (task.outcome) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The task is over: ${listedTask(task).status}.`);
    }
    task.cancel({ code: ProtocolErrorCode.InvalidRequest, message: "The task was cancelled, so it has no result." });
    return { ...listedTask(task) };
  });
}

/** Parameters of a request, which nobody has checked. */
export interface Params {
  readonly taskId?: unknown;
  readonly cursor?: unknown;
}

export const anything: StandardSchemaV1<unknown, Params> = {
  "~standard": { version: 1, vendor: "cogency", validate: (value) => ({ value: (value ?? {}) as Params }) },
};

interface TaskCall {
  readonly name: string;
  readonly arguments?: Record<string, unknown>;
  readonly ttl: number | undefined;
}

/**
 * A call that its client wants as a task; undefined for one that the handler of calls answers, with the error if it is malformed.
 *
 * @throws ProtocolError for a time that is none
 */
function taskCall(params: JSONRPCRequest["params"]): TaskCall | undefined {
  const { name, arguments: args, task } = (params ?? {}) as { name?: unknown; arguments?: unknown; task?: unknown };
  if (!isObject(task) || typeof name !== "string" || !(args === undefined || isObject(args))) return undefined;
  const { ttl } = task;
  if (ttl !== undefined && !(typeof ttl === "number" && ttl > 0)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "`task.ttl` is not a number of milliseconds above 0.");
  }
  return { name, ...(args && { arguments: args }), ttl };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws ProtocolError with which the call would have been answered */
function given(task: Task): Result {
  task.isRead = true;
  const { outcome } = task;
  if (outcome && "result" in outcome) {
    const { result } = outcome;
    return { ...result, _meta: { ...result._meta, ...relatedTo(task) } };
  }
  const { code, message, data } = outcome?.error ?? {
    code: ProtocolErrorCode.InternalError,
    message: "Internal error",
  };
  throw ProtocolError.fromError(code, message, data);
}
