import { nodeListener } from "@cogency/server/node";
import express, { type Express } from "express";
import { createChatHandler } from "../../src/chat/index.ts";
import { agent, authenticate, store } from "./agent.ts";

const handler = createChatHandler({ agent, store, authenticate });
export const app: Express = express();
app.use("/api/chat", nodeListener(handler));
