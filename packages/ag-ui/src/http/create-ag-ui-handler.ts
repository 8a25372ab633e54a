import type { IdentityCapabilities } from "@ag-ui/core";
import { anything, checkOptions, type OptionTable, object } from "@cogency/protocol/options";
import { Problem } from "@cogency/server";
import { createBridge, type Visit } from "@cogency/server/bridge";
import type { AgUiOptions } from "../ag-ui-options.ts";
import { cancelRun } from "./cancel-run.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { followRun } from "./follow-run.ts";
import type { Tell } from "./frames.ts";
import { startRun } from "./start-run.ts";

/**
 * Makes a handler that serves an agent to clients of AG-UI 1.0. A thread of AG-UI is a conversation of the user who asks.
 *
 * - `POST prefix`: takes a `RunAgentInput`, answers with the events of the run
 * - `GET prefix`: what the agent can do (`AgentCapabilities`)
 * - `GET prefix/THREAD?runId=RUN`: the messages of a thread, and what goes on in it; with `Last-Event-ID` from there on
 * - `POST prefix/THREAD/cancel`: ends what goes on
 *
 * A request that is refused gets `{ code, message }` with the status of the code (`ProblemCode` of `@cogency/server`).
 *
 * @throws TypeError for an unknown option, one of a wrong type, and one that is missing; RangeError for a value out of its range
 */
export function createAgUiHandler(options: AgUiOptions): (request: Request) => Promise<Response> {
  checkOptions<AgUiOptions>("createAgUiHandler", options, table);
  const { identity, ...rest } = { ...options };
  const bridge = createBridge("createAgUiHandler", rest);
  const { onError = printError } = options;
  const tellOf = (request: Request) => (error: unknown) => {
    try {
      onError(error, request);
    } catch {
      // The listener's own business.
    }
  };
  return (request) => bridge.handle(request, async (visit) => answer(visit, identity, tellOf(request)), refuse);
}

/** What the bridge checks itself has only its name here. */
const table: OptionTable<AgUiOptions> = {
  identity: object,
  agent: anything,
  store: anything,
  authenticate: anything,
  origins: anything,
  limits: anything,
  prefix: anything,
  maxBodyBytes: anything,
  bodyTimeout: anything,
  streamTime: anything,
  keepAlive: anything,
  onError: anything,
};

/** As that of `createHandler`. */
function printError(error: unknown, { method }: Request): void {
  console.error(`${method}:`, error);
}

function answer(visit: Visit, identity: IdentityCapabilities | undefined, tell: Tell): Promise<Response> | Response {
  const [, thread = "", rest = ""] = /^\/([^/]+)(\/cancel)?$/.exec(visit.path) ?? [];
  if (visit.path === "" || visit.path === "/") {
    return byMethod(visit, { GET: () => Response.json(capabilitiesOf(identity)), POST: () => startRun(visit, tell) });
  }
  if (thread === "") throw new Problem("not_found", "There is nothing at this address.");
  const threadId = decoded(thread);
  if (rest === "") return byMethod(visit, { GET: () => followRun(visit, threadId, tell) });
  return byMethod(visit, { POST: () => cancelRun(visit, threadId) });
}

type Methods = Readonly<Record<string, () => Promise<Response> | Response>>;

function byMethod({ request }: Visit, methods: Methods): Promise<Response> | Response {
  const method = new Map(Object.entries(methods)).get(request.method);
  if (method) return method();
  const allow = Object.keys(methods).join(", ");
  throw new Problem("method_not_allowed", `This address has only ${allow}.`, { headers: { allow } });
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new Problem("invalid_request", "The name of the thread is not encoded as `encodeURIComponent` does.");
  }
}

function refuse({ status, code, message, headers }: Problem): Response {
  return Response.json({ code, message }, { status, headers });
}
