// app/api/chat/[[...path]]/route.ts
import { createChatHandler } from "../../src/chat/index.ts";
import { agent, authenticate, store } from "./agent.ts";

const handler = createChatHandler({ agent, store, authenticate, prefix: "/api/chat" });

export { handler as DELETE, handler as GET, handler as POST };
