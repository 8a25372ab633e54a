import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { createHandler } from "@cogency/server";
import { memoryStore } from "@cogency/storage";
import { createKeyRing, defineTool } from "@cogency/tools";

/**
 * A server of one person, who is asked before a note is written, and what looks after its messages until it is ended. The model writes
 * slowly.
 *
 * @param {number} conversations that it can hold with the same words
 */
export function serverFor(conversations) {
  const store = memoryStore();
  const slowly = (/** @type {string} */ text) => ({ chunks: [...text], delay: 20 });
  const steps = [slowly(`I write it.${call}`), slowly("Written, as you said: é 🚀.<end>")];
  const provider = scripted(Array.from({ length: conversations }, () => steps).flat());
  const agent = createAgent({ provider, tools: [write], store, keyRing: createKeyRing([secret]) });
  const handler = createHandler({ agent, store, authenticate: () => ({ id: "ada" }), prefix: "/api", streamTime: 700 });
  let isOver = false;
  const look = async () => {
    while (!isOver) {
      await agent.sweep();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const looking = look();
  return {
    handler,
    async end() {
      isOver = true;
      await looking;
    },
  };
}

const secret = "a secret of this server, at least 32 bytes";
const call = '<execute>[{"name":"write","args":{"note":"milk"}}]</execute>';
const write = defineTool({
  name: "write",
  description: "Write a note.",
  input: { type: "object", properties: { note: { type: "string" } }, required: ["note"] },
  approval: "ask",
  execute: ({ note }) => `wrote ${note}`,
});
