import { createAgUiHandler } from "@cogency/ag-ui";
import { createAgent } from "@cogency/agent";
import { auto } from "@cogency/agent/auto";
import { createChatHandler } from "@cogency/ai-sdk/chat";
import { anonymousUser, createHandler, type Handler, type User } from "@cogency/server";
import { createOpenAIHandler } from "@cogency/server/openai";
import { memoryStore } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { createWorker, type Worker } from "@cogency/worker";
import { demoModel } from "./demo-model.ts";
import { demoTools } from "./demo-tools.ts";

/** One agent behind four wires, each under a path of its own. The worker goes on with what comes over `/api`. */
export function createDemo(page: Handler, origins: readonly string[]): { handler: Handler; worker: Worker } {
  const store = memoryStore();
  const keyRing = createKeyRing([crypto.randomUUID() + crypto.randomUUID()]);
  const agent = createAgent({ provider: demoModel(), driver: auto(), tools: demoTools, store, keyRing });
  // Everybody on this machine is the one user; a server that others reach says here who asks.
  const authenticate = (): User => ({ id: anonymousUser, scopes: ["thinking"] });
  const options = { agent, store, authenticate, origins };
  const wires: readonly (readonly [prefix: string, Handler])[] = [
    ["/ai-sdk/chat", createChatHandler({ ...options, prefix: "/ai-sdk/chat" })],
    ["/ag-ui", createAgUiHandler({ ...options, prefix: "/ag-ui" })],
    ["/v1", createOpenAIHandler({ ...options, prefix: "/v1" })],
    ["/api", createHandler({ ...options, prefix: "/api" })],
  ];
  return {
    worker: createWorker({ agent, store, drain: 0 }),
    async handler(request) {
      const { pathname } = new URL(request.url);
      const wire = wires.find(([prefix]) => pathname === prefix || pathname.startsWith(`${prefix}/`));
      if (wire) return wire[1](request);
      if (pathname === "/") return page(request);
      return Response.json({ code: "not_found", message: "Open / for what there is." }, { status: 404 });
    },
  };
}
