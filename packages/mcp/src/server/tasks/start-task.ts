import type { Json } from "@cogency/protocol";
import {
  type CallToolRequest,
  type CallToolResult,
  type Notification,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { begunKey } from "../agent/agent-turn.ts";
import { askedInputs } from "../asking/asked-inputs.ts";
import type { ClientInputs } from "../asking/client-inputs.ts";
import { type ClientTold, clientHost } from "../client-host.ts";
import type { Offered } from "../offered.ts";
import { clientOf, type ServingParts } from "../serve-request.ts";
import type { Serving } from "../serving.ts";
import { callProgress } from "../tools/call-progress.ts";
import type { Task, TaskFault } from "./task.ts";
import type { TaskOwner } from "./tasks.ts";

/** How the client of a task is told something while it is at work. */
export interface TaskTold {
  notify(task: Task, notification: Notification): Promise<void>;
  log(task: Task, ...line: Parameters<ClientTold["log"]>): Promise<void>;
}

/** Begins calls that go on after their request was answered. */
export interface TaskStarter {
  /**
   * @param ttl milliseconds, as the client wants it
   * @returns why there is no room for the task, if so
   * @throws ProtocolError if too many calls of the user run
   */
  start(
    ctx: ServerContext,
    params: CallToolRequest["params"],
    ttl: number | undefined,
  ): Promise<Task | { readonly problem: string }>;
}

export function taskStarter(offered: Offered, parts: ServingParts, owner: TaskOwner, told: TaskTold): TaskStarter {
  function servingOf(task: Task, ctx: ServerContext): Serving {
    const { known, can } = clientOf(parts, ctx);
    const asked = askedInputs(can, (input) => task.ask(input, parts.patience));
    const inputs: ClientInputs = {
      ...asked,
      keep(key, value) {
        if (key === begunKey && typeof value === "string") task.conversation = value;
        asked.keep(key, value);
      },
    };
    const toldByTask: ClientTold = { log: (...line) => told.log(task, ...line), releaseStream() {} };
    const host = clientHost(toldByTask, known, inputs, task.signal);
    const tellClient = callProgress(ctx.mcpReq._meta?.progressToken, (notification) => told.notify(task, notification));
    const tell = (update: Json) => {
      const message = typeof update === "string" ? update : (update as { message?: Json } | null)?.message;
      if (typeof message === "string") task.say(message);
      tellClient(update);
    };
    return { inputs, host, tell, held: parts.held, conversation: parts.unit, asked: async () => undefined };
  }

  return {
    async start(ctx, params, ttl) {
      const task = offered.tasks.create(owner, ttl);
      if ("problem" in task) return task;
      const begun = Promise.withResolvers<void>();
      const call = offered.inTurn(parts.caller, async () => {
        begun.resolve();
        await offered.tools.ready();
        return offered.callTool(offered.tools.registry(), params, servingOf(task, ctx));
      });
      call.then(
        // Nothing asks by a result here: the inputs of a task wait for their answers.
        (result) => task.end({ result: result as CallToolResult }),
        (error) => task.end({ error: faultOf(error) }),
      );
      try {
        await Promise.race([begun.promise, call]);
        return task;
      } catch (error) {
        offered.tasks.drop(task);
        throw error;
      }
    },
  };
}

/** The error of JSON-RPC that the request would have been answered with. */
function faultOf(error: unknown): TaskFault {
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown };
  return {
    code: Number.isSafeInteger(code) ? (code as number) : ProtocolErrorCode.InternalError,
    message: typeof message === "string" ? message : "Internal error",
    ...(data !== undefined && { data }),
  };
}
