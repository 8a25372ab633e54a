import { Hono } from "hono";
import { createChatHandler } from "../../src/chat/index.ts";
import { agent, authenticate, store } from "./agent.ts";

const handler = createChatHandler({ agent, store, authenticate, prefix: "/api/chat" });
export const app = new Hono();
app.all("/api/chat/*", ({ req }) => handler(req.raw));
