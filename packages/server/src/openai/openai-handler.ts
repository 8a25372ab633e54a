import { checkOptions, flag, having, listOf, name, type OptionTable, oneOf, required } from "@cogency/protocol/options";
import { createBridge, type Visit } from "../bridge/index.ts";
import { doorTable } from "../door/door-options.ts";
import type { Handler } from "../handler.ts";
import { Problem } from "../problem.ts";
import type { OpenAIHandlerOptions } from "./openai-handler-options.ts";
import { newName } from "./place/ids.ts";
import { OneAtATime } from "./place/one-at-a-time.ts";
import { completionOf, modelOf, modelsOf, type OpenAIHost, responseOf, storedResponseOf } from "./routes.ts";
import { errorResponse } from "./wire-problem.ts";

/**
 * Makes a handler that answers as a server of OpenAI's does, so that its clients can use an agent:
 *
 * - `POST /v1/chat/completions`: each request brings its whole conversation
 * - `POST /v1/responses`: goes on from `previous_response_id` or in `conversation`
 * - `GET /v1/responses/ID`: a response as the log has it
 * - `GET /v1/models`, `GET /v1/models/ID`
 *
 * `authenticate` reads the key that a client sends (`Authorization: Bearer …`). What has no counterpart: docs/openai.md.
 *
 * @throws TypeError for an unknown option, one of a wrong type, and one that is missing; RangeError for a number or a text that cannot be
 */
export function createOpenAIHandler(options: OpenAIHandlerOptions): Handler {
  // The bridge says first that there is no `authenticate`.
  if (options?.authenticate !== undefined) checkOptions("createOpenAIHandler", options, table);
  const { models, tools, questions, whenClientLeaves, ...given } = options ?? {};
  const bridge = createBridge("createOpenAIHandler", { prefix: "/v1", ...given });
  const { agent, store } = options;
  const host: OpenAIHost = {
    agent,
    store,
    places: new OneAtATime(),
    models: models ?? ["agent"],
    tools: tools ?? "reasoning",
    questions: questions ?? true,
    whenClientLeaves: whenClientLeaves ?? "cancel",
  };
  return async (request) => {
    const response = await bridge.handle(request, (visit) => routed(host, visit), errorResponse);
    response.headers.set("x-request-id", `req_${newName()}`);
    return response;
  };
}

const table = {
  ...doorTable,
  agent: required(having("the agent of createAgent", "send", "recover", "fork")),
  store: required(having("the store of the agent", "follow", "load", "inbox", "append", "delete")),
  models: { ...listOf(name, "an array of names"), isInRange: (models) => (models as readonly string[]).length > 0 },
  tools: oneOf("hidden", "text", "reasoning"),
  questions: flag,
  whenClientLeaves: oneOf("cancel", "continue"),
} satisfies OptionTable<OpenAIHandlerOptions>;

type Route = (host: OpenAIHost, visit: Visit, id: string) => Response | Promise<Response>;

/** The methods of each address. */
const routes: readonly { path: RegExp; methods: Readonly<Record<string, Route>> }[] = [
  { path: /^\/chat\/completions$/, methods: { POST: completionOf } },
  { path: /^\/responses$/, methods: { POST: responseOf } },
  { path: /^\/responses\/([^/]+)$/, methods: { GET: storedResponseOf } },
  { path: /^\/models$/, methods: { GET: modelsOf } },
  { path: /^\/models\/(.+)$/, methods: { GET: modelOf } },
];

async function routed(host: OpenAIHost, visit: Visit): Promise<Response> {
  const { path, request } = visit;
  const found = routes.find((route) => route.path.test(path));
  if (!found) throw new Problem("not_found", `There is nothing at ${new URL(request.url).pathname.slice(0, 100)}.`);
  const route = Object.hasOwn(found.methods, request.method) ? found.methods[request.method] : undefined;
  if (route) return route(host, visit, found.path.exec(path)?.[1] ?? "");
  const allow = Object.keys(found.methods).join(", ");
  throw new Problem("method_not_allowed", `This address has only ${allow}.`, { headers: { allow } });
}
