import { type JSONRPCRequest, type Result, Server, type ServerContext } from "@modelcontextprotocol/server";

/** The first revision that has tasks. Those of 2026-07-28 are an extension. */
export const firstWithTasks = "2025-11-25";

type Handler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;

/**
 * A server of the SDK in which a call can be answered with a task. The SDK checks that `tools/call` has the result of a tool, and declares
 * the capability of tasks also to clients of revisions that have none.
 */
export class TaskServer extends Server {
  /** Answers a call with a task; undefined leaves it to the handler of `tools/call`. */
  beginTask: ((request: JSONRPCRequest, ctx: ServerContext) => Promise<Result | undefined>) | undefined;

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const usual = super._wrapHandler(method, handler);
    if (method === "tools/call") {
      return async (request, ctx) => (await this.beginTask?.(request, ctx)) ?? usual(request, ctx);
    }
    if (method === "initialize") return async (request, ctx) => withoutTasksBefore(await usual(request, ctx));
    return usual;
  }
}

function withoutTasksBefore(result: Result): Result {
  const { protocolVersion, capabilities } = result as { protocolVersion?: string; capabilities?: object };
  if (protocolVersion === undefined || protocolVersion >= firstWithTasks) return result;
  const { tasks: _tasks, ...others } = (capabilities ?? {}) as { tasks?: unknown };
  return { ...result, capabilities: others };
}
