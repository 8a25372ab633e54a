import {
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  type Result,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Offered } from "../offered.ts";
import { capabilitiesOf, type ServingParts } from "../serve-request.ts";
import { anything, type Params } from "./serve-tasks.ts";
import { taskStarter } from "./start-task.ts";
import type { TaskServer } from "./task-server.ts";
import { createdTask, detailedTask } from "./task-views.ts";
import type { TaskOwner } from "./tasks.ts";

const extension = "io.modelcontextprotocol/tasks";

/** The extension, as client and server declare it. */
export const taskExtension = { [extension]: {} };

/**
 * Serves tasks as the extension of 2026-07-28 has them: each call of a tool that runs as a task becomes one, where the client has declared
 * the extension and there is room.
 */
export function serveTaskExtension(server: TaskServer, offered: Offered, parts: ServingParts, owner: TaskOwner): void {
  const { tasks } = offered;
  // Tasks have neither progress nor logs here: what they say is in their state.
  const starter = taskStarter(offered, parts, owner, { notify: async () => {}, log: async () => {} });
  const declares = (ctx: ServerContext) => {
    const { extensions } = (capabilitiesOf(parts, ctx) ?? {}) as { extensions?: Record<string, unknown> };
    return extensions?.[extension] !== undefined;
  };

  server.beginTask = async ({ params }, ctx) => {
    const { name, arguments: args } = (params ?? {}) as { name?: unknown; arguments?: unknown };
    const isCall = typeof name === "string" && (args === undefined || (typeof args === "object" && args !== null));
    if (!isCall || Array.isArray(args) || !offered.asTasks.has(name) || !declares(ctx)) return undefined;
    const task = await starter.start(ctx, { name, ...(args && { arguments: { ...args } }) }, undefined);
    return "problem" in task ? undefined : { resultType: "task", ...createdTask(task) };
  };
  const handle = (method: string, answer: (params: Params, ctx: ServerContext) => Result) =>
    server.setRequestHandler(method, { params: anything }, (params, ctx) => {
      if (declares(ctx)) return answer(params, ctx);
      const requiredCapabilities = { extensions: taskExtension } as ClientCapabilities;
      throw new MissingRequiredClientCapabilityError(
        { requiredCapabilities },
        `${method} is for clients that declare the extension ${extension}.`,
      );
    });
  handle("tasks/get", ({ taskId }) => {
    const task = tasks.find(owner.of, taskId);
    task.isRead ||= task.outcome !== undefined;
    return detailedTask(task) as Result;
  });
  handle("tasks/update", ({ taskId }, { mcpReq }) => {
    tasks.find(owner.of, taskId).answer(mcpReq.inputResponses ?? {});
    return {};
  });
  handle("tasks/cancel", ({ taskId }) => {
    tasks.find(owner.of, taskId).cancel({ code: -32600, message: "The task was cancelled." });
    return {};
  });
}
