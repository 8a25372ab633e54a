import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Chat } from "@ai-sdk/react";
import { serve } from "@hono/node-server";
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from "ai";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ChatMessage } from "../src/chat/index.ts";
import { app as expressApp } from "./hosts/express-app.ts";
import { app as honoApp } from "./hosts/hono-app.ts";
import * as route from "./hosts/next-route.ts";

/** The handlers of an App Router of Next.js, as its server calls them. */
type Method = "GET" | "POST" | "DELETE";
const nextApp: Readonly<Record<Method, (request: Request, context: { params: Promise<object> }) => Promise<Response>>> =
  route;

async function urlOf(server: Server): Promise<string> {
  if (!server.listening) await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hosts: [string, () => Promise<{ url: string; fetch?: typeof fetch }>][] = [
  [
    "Hono",
    async () => ({ url: await urlOf(serve({ fetch: honoApp.fetch, port: 0, hostname: "127.0.0.1" }) as Server) }),
  ],
  ["Express", async () => ({ url: await urlOf(expressApp.listen(0, "127.0.0.1")) })],
  [
    "Next.js",
    async () => ({
      url: "http://site",
      async fetch(input, init) {
        const request = new Request(input, init);
        return nextApp[request.method as Method](request, { params: Promise.resolve({}) });
      },
    }),
  ],
];

describe("the chat of useChat", () => {
  it.each(hosts)("talks over %s, and approves a call", async (name, start) => {
    const { url, fetch: ask = fetch } = await start();
    const api = `${url}/api/chat`;
    const chat = new Chat<ChatMessage>({
      id: name,
      transport: new DefaultChatTransport({ api, fetch: ask }),
      sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    });
    await chat.sendMessage({ text: "Refund A1." });
    expect(chat.status).toBe("ready");
    const part = chat.lastMessage?.parts.at(-1);
    expect(part).toMatchObject({ type: "tool-refund", state: "approval-requested" });
    const id = part && "approval" in part ? (part.approval?.id ?? "") : "";
    await chat.addToolApprovalResponse({ id, approved: true });
    await expect
      .poll(() => chat.lastMessage?.parts.at(-1))
      .toMatchObject({ type: "text", text: "It is refunded.", state: "done" });
    await expect.poll(() => chat.status).toBe("ready");
    expect(chat.messages).toHaveLength(2);
    const history = await (await ask(`${api}/${encodeURIComponent(name)}/messages`)).json();
    expect(history).toEqual(JSON.parse(JSON.stringify(chat.messages)));
    expect((await ask(`${api}/${encodeURIComponent(name)}/stream`)).status).toBe(204);
  });
});
