import { appendFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Provider, scripted } from "@cogency/provider";
import { createKeyRing, defineTool } from "@cogency/tools";
import { createAgent } from "../../src/index.ts";
import { files, linesIn } from "./files.ts";
import { type Mark, marked, marksUntil } from "./kill-point.ts";
import { openStore } from "./open-store.ts";
import { farewell, paymentOf } from "./plan.ts";

/** Opens what both processes have in common: the store, and an agent that pays. */
export async function openShop([folder = "", address = "", point = "null"]: string[]) {
  // Ends when the process that has started it ends, however that does.
  process.stdin.once("close", () => process.exit()).resume();
  const mark = marksUntil(JSON.parse(point) ?? undefined);
  const store = marked(await openStore(address), mark);
  const keyRing = createKeyRing(["the ring that both processes have in common"]);
  const tools = [payTool(join(folder, files.effects), mark)];
  const agent = createAgent({ provider: model, tools, store, keyRing, lease: { ttl: 300 } });
  flushCompileCache();
  const file = (name: keyof typeof files) => join(folder, files[name]);
  const linesOf = (name: keyof typeof files) => linesIn(file(name));
  return { store, agent, file, linesOf };
}

function payTool(effects: string, mark: Mark) {
  return defineTool({
    name: "pay",
    description: "Pays.",
    input: { type: "object", properties: { payment: { type: "string" } } },
    approval: "ask",
    execute: async ({ payment }) => {
      mark("before the payment");
      appendFileSync(effects, `${payment}\n`);
      mark("after the payment");
      await pause(2);
      return `paid ${payment}`;
    },
  });
}

/** Asks for the payments of the last prompt, then says that they are settled. */
const model: Provider = {
  ...scripted([]),
  async *stream({ messages }) {
    const said = messages.map((message) => (message.role === "user" ? message.content : "")).join("\n");
    const prompt = [...said.matchAll(/Pay (\d) parts of (\S+)\/(\d+)\./g)].at(-1);
    const since = said.slice(prompt?.index ?? 0);
    const isSettled = !prompt || since.includes("<results>") || since.includes(farewell.content);
    const [, parts, conversation = "", index] = prompt ?? [];
    const calls = Array.from({ length: Number(parts) }, (_, part) => ({
      name: "pay",
      args: { payment: paymentOf(conversation, Number(index), part) },
    }));
    await pause(1);
    yield { type: "text", text: isSettled ? "Settled.<end>" : `<execute>${JSON.stringify(calls)}</execute>` };
    yield { type: "finish", reason: "stop" };
  },
};
