import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createKeyRing, defineTool } from "@cogency/tools";
import { expect } from "vitest";
import { type McpOffer, mcpServer } from "../../src/server/index.ts";
import { answerOf, type Rpc, rawClient, request } from "./raw-client.ts";

const keyRing = createKeyRing(["a secret of at least 32 bytes, kept elsewhere"]);
const input = { type: "object", properties: { order: { type: "integer" } } } as const;

export const refunds = '<execute>[{"name":"refund","args":{"order":7}}]</execute>';
export const works = '<execute>[{"name":"work","args":{}}]</execute>';

/** An agent with a tool that asks, and one that works until it is told to stop the first time that it runs. */
export function workingAgent(answers: readonly string[]) {
  const ran: string[] = [];
  const began = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const refund = defineTool({
    name: "refund",
    description: "Refunds an order.",
    input,
    approval: "ask",
    execute() {
      ran.push("refund");
      return "refunded";
    },
  });
  const work = defineTool({
    name: "work",
    description: "Works.",
    input,
    annotations: { readOnlyHint: true },
    execute(_, { signal }) {
      ran.push("work");
      began.resolve();
      if (ran.length > 1) return "done";
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          stopped.resolve();
          reject(signal.reason);
        });
      });
    },
  });
  const agent = createAgent({ provider: scripted([...answers]), tools: [refund, work], store: memoryStore(), keyRing });
  return { agent, ran, began: began.promise, stopped: stopped.promise };
}

/** The call of an agent as a task, as clients of 2025-11-25 ask for it. */
export function taskCall(args: object, task: object = {}, id: unknown = 1): Rpc {
  return request("tools/call", { name: "ask_agent", arguments: args, task }, id);
}

type Client = ReturnType<typeof rawClient>;

/** The tasks of one session of a client. */
export function tasksOf(client: Client, here: Record<string, string>) {
  let ids = 100;
  const ask = async (method: string, params: object = {}) =>
    answerOf(await client.post(request(method, params, ids++), here));
  return {
    ask,
    async begin(args: object, task: object = {}) {
      const { result, error } = await answerOf(await client.post(taskCall(args, task, ids++), here));
      expect(error).toBeUndefined();
      return String(result.task.taskId);
    },
    get: (taskId: unknown) => ask("tasks/get", { taskId }),
    result: (taskId: unknown) => ask("tasks/result", { taskId }),
    cancel: (taskId: unknown) => ask("tasks/cancel", { taskId }),
    /** Asks for the state until it is this one. */
    async until(taskId: string, status: string) {
      await expect.poll(async () => (await ask("tasks/get", { taskId })).result?.status).toBe(status);
      return (await ask("tasks/get", { taskId })).result;
    },
  };
}

/** A server with a session of a client that can ask a person, and the tasks in it. */
export async function taskSession(offer: McpOffer) {
  const server = mcpServer(offer);
  const client = rawClient(server);
  const here = await client.session({ elicitation: {} });
  return { server, client, here, ...tasksOf(client, here) };
}

export const approved = { action: "accept", content: { decision: "approve" } };

export const noSuchTask = { code: -32602, message: "There is no such task." };
