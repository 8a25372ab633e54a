import { appendFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { type Agent, createAgent } from "@cogency/agent";
import type { ModelEvent, Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { postgresStore } from "@cogency/storage-postgres";
import { createKeyRing, defineTool } from "@cogency/tools";
import { limitedProvider } from "../../src/index.ts";

/** What all processes of the fleet have in common. */
export interface ShopOptions {
  /** The address of the database. */
  postgres: string;
  /** The address of the model. */
  model: string;
  /** The file that has a line for each charge. */
  charges: string;
  /** Requests that may be open at one time, in all processes. */
  limit: number;
  /** Milliseconds of leases, claims and places. */
  ttl: number;
}

export interface Shop {
  store: Store;
  agent: Agent;
}

export async function openShop({ postgres, model, charges, limit, ttl }: ShopOptions): Promise<Shop> {
  const store = await postgresStore({ url: postgres, liveness: true, warn: () => {} });
  const charge = defineTool({
    name: "charge",
    description: "Charges for a step. Must not happen twice.",
    input: { type: "object", properties: { step: { type: "integer" } }, required: ["step"] },
    execute({ step }, { conversation }) {
      appendFileSync(charges, `${conversation} ${step}\n`);
      return "charged";
    },
  });
  const provider = limitedProvider(overHttp(model), { store, name: "model", limit, ttl });
  const keyRing = createKeyRing(["a secret that the whole fleet has in common"]);
  return { store, agent: createAgent({ provider, store, keyRing, tools: [charge], lease: { ttl } }) };
}

/** Sends the texts of the messages, and reads the answer. */
function overHttp(url: string): Provider {
  return {
    name: "loopback",
    model: "loopback",
    capabilities: { tools: false, session: false, reasoning: false, format: false },
    async *stream({ messages }, { signal } = {}): AsyncGenerator<ModelEvent> {
      const body = JSON.stringify(messages.map((message) => ("content" in message ? message.content : "")));
      try {
        yield { type: "text", text: await post(url, body, signal) };
        yield { type: "finish", reason: "stop" };
      } catch (error) {
        if (!signal?.aborted) throw error;
        yield { type: "finish", reason: "aborted" };
      }
    },
  };
}

function post(url: string, body: string, signal: AbortSignal | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { "x-pid": process.pid };
    const request = httpRequest(
      url,
      { method: "POST", agent: false, headers, ...(signal && { signal }) },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => {
          text += piece;
        });
        response.on("error", reject);
        response.on("end", () => resolve(text));
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
