import type { JsonObject } from "@cogency/protocol";
import {
  type Notification,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerCapabilities,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { HeldContent } from "./held-content.ts";
import type { McpCaller } from "./offer.ts";
import type { Offered } from "./offered.ts";
import { listedPrompt, promptMessages } from "./prompts/serve-prompts.ts";
import { listedResource, listedTemplate, readResource } from "./resources/serve-resources.ts";
import { completion } from "./serve-completion.ts";
import { type ServingParts, serveRequest } from "./serve-request.ts";
import { orAsked } from "./serving.ts";
import { serveTaskExtension, taskExtension } from "./tasks/serve-task-extension.ts";
import { serveTasks, speaksTasks, taskCapability } from "./tasks/serve-tasks.ts";
import { TaskServer } from "./tasks/task-server.ts";
import { listedTool } from "./tools/offered-tools.ts";

/** Who is served, and how. */
export interface Served {
  readonly era: "legacy" | "modern";
  readonly caller: McpCaller | undefined;
  /** Stands for the session or the connection. */
  readonly unit: string;
  readonly held: HeldContent;
  /** Whose tasks its clients see; undefined for clients that cannot come back for the result of one. */
  readonly tasks: string | undefined;
}

/** A server of the SDK for one session, connection or request, and what it has subscribed to. */
export interface ProtocolServer {
  readonly server: Server;
  /** Sends a notification if a client is there and may be told. */
  tell(notification: Notification): void;
  /** In 2026-07-28 what carries the notification knows who has subscribed. */
  hasSubscribed(uri: string): boolean;
}

/** Resources that one client may subscribe to. */
const mostSubscriptions = 1000;

export function protocolServer(offered: Offered, served: Served): ProtocolServer {
  const { resources } = offered;
  const tasksOf = offered.asTasks.size > 0 ? served.tasks : undefined;
  const server = new TaskServer(offered.about, {
    capabilities: { ...capabilitiesOf(offered), ...(tasksOf !== undefined && tasksIn[served.era]) },
    ...(offered.instructions !== undefined && { instructions: offered.instructions }),
    requestState: { verify: offered.states.verify },
    inputRequired: { legacyShim: false },
  });
  server.onerror = offered.onError;
  const parts: ServingParts = { server, ...served, states: offered.states, patience: offered.limits.answer };
  const serve = (ctx: ServerContext, params: object) => serveRequest(parts, ctx, params as JsonObject);
  const subscribed = new Set<string>();

  server.setRequestHandler("tools/list", async () => {
    await offered.tools.ready();
    const registry = offered.tools.registry();
    const runsAsTask = (name: string) => tasksOf !== undefined && speaksTasks(server) && offered.asTasks.has(name);
    return { tools: registry.names().map((name) => listedTool(registry.get(name), runsAsTask(name))) };
  });
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const { name, arguments: args } = params;
    return offered.inTurn(served.caller, async () => {
      await offered.tools.ready();
      return offered.callTool(offered.tools.registry(), params, await serve(ctx, { name, args: args ?? {} }));
    });
  });

  if (tasksOf !== undefined) {
    const owner = { of: tasksOf, user: served.caller?.user ?? "" };
    if (served.era === "legacy") serveTasks(server, offered, parts, owner, (told) => server.notification(told));
    else serveTaskExtension(server, offered, parts, owner);
  }

  if (offered.prompts) {
    const prompts = offered.prompts;
    server.setRequestHandler("prompts/list", () => ({ prompts: prompts().map(listedPrompt) }));
    server.setRequestHandler("prompts/get", async ({ params }, ctx) => {
      const { name, arguments: args } = params;
      const serving = await serve(ctx, { name, args: args ?? {} });
      return orAsked(serving, () => promptMessages(prompts(), params, serving.host));
    });
  }

  if (resources) {
    server.setRequestHandler("resources/list", async (_, ctx) => {
      const { host } = await serve(ctx, {});
      return { resources: ((await resources.list?.(host)) ?? []).map(listedResource) };
    });
    server.setRequestHandler("resources/templates/list", async (_, ctx) => {
      const { host } = await serve(ctx, {});
      return { resourceTemplates: ((await resources.templates?.(host)) ?? []).map(listedTemplate) };
    });
    server.setRequestHandler("resources/read", async ({ params: { uri } }, ctx) => {
      const serving = await serve(ctx, { uri });
      return orAsked(serving, () => readResource(resources, uri, serving.host));
    });
    if (resources.subscribable) {
      server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
        if (subscribed.size >= mostSubscriptions) {
          throw new ProtocolError(ProtocolErrorCode.InvalidRequest, `At most ${mostSubscriptions} subscriptions.`);
        }
        subscribed.add(uri);
        return {};
      });
      server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
        subscribed.delete(uri);
        return {};
      });
    }
  }

  server.setRequestHandler("completion/complete", async ({ params }, ctx) => {
    const { host } = await serve(ctx, {});
    return completion(params, offered.prompts?.() ?? [], resources, host);
  });

  return {
    server,
    tell(notification) {
      if (server.transport) server.notification(notification).catch(() => {});
    },
    hasSubscribed: (uri) => served.era === "modern" || subscribed.has(uri),
  };
}

const tasksIn = { legacy: { tasks: taskCapability }, modern: { extensions: taskExtension } };

function capabilitiesOf({ prompts, resources }: Offered): ServerCapabilities {
  return {
    tools: { listChanged: true },
    logging: {},
    completions: {},
    ...(prompts && { prompts: { listChanged: true } }),
    ...(resources && { resources: { listChanged: true, ...(resources.subscribable && { subscribe: true }) } }),
  };
}
