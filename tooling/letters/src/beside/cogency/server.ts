import { createServer } from "node:http";
import { createAgent } from "@cogency/agent";
import { createHandler } from "@cogency/server";
import { nodeListener } from "@cogency/server/node";
import { memoryStore } from "@cogency/storage";
import { createWorker } from "@cogency/worker";
import { model } from "./model.ts";

const store = memoryStore();
const agent = createAgent({ provider: model, store });
const authenticate = () => ({ id: "ada" });
await createWorker({ agent, store }).start();
createServer(nodeListener(createHandler({ agent, store, authenticate, prefix: "/api" }))).listen(process.env.PORT);
