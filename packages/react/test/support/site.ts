import { createAgent, defineTool } from "@cogency/agent";
import { createClient } from "@cogency/client";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { createHandler } from "@cogency/server";
import { memoryStore } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { onTestFinished } from "vitest";

const keyRing = createKeyRing(["a secret of this server, at least 32 bytes"]);

/** The real handler over a store in memory, with an agent that looks after its messages, and what was asked of it. */
export function site(steps: ScriptedStep[] = []) {
  const store = memoryStore();
  const written: string[] = [];
  const write = defineTool({
    name: "write",
    description: "Writes a line.",
    input: { type: "object", properties: { line: { type: "string" } }, required: ["line"] },
    approval: "ask",
    execute: ({ line }) => void written.push(String(line)),
  });
  const agent = createAgent({ provider: scripted(steps), tools: [write], store, keyRing });
  const handler = createHandler({
    agent,
    store,
    authenticate: () => ({ id: "ada", scopes: ["thinking"] }),
    prefix: "/api",
  });
  const requests: string[] = [];
  /** The streams that are open, by their paths. */
  const open: string[] = [];

  async function fetch(url: string, init: RequestInit): Promise<Response> {
    const { pathname } = new URL(url, "http://server.test");
    const path = pathname.replace("/api/", "");
    requests.push(`${init.method} ${path}`);
    const isStream = new Headers(init.headers).get("accept") === "text/event-stream";
    if (isStream) {
      open.push(path);
      init.signal?.addEventListener("abort", () => open.splice(open.indexOf(path), 1), { once: true });
    }
    return handler(new Request(new URL(url, "http://server.test"), init));
  }

  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      await agent.sweep();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  onTestFinished(async () => {
    isOver = true;
    await looking;
  });
  return { agent, store, written, requests, open, fetch, client: createClient({ url: "/api", fetch }) };
}
