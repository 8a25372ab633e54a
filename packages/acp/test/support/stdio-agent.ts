import { createAgent, defineTool } from "@cogency/agent";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { sqliteStore } from "@cogency/storage-sqlite";
import { createKeyRing } from "@cogency/tools";
import { createAcp } from "../../src/index.ts";
import { serveOverStdio } from "../../src/node/index.ts";

// `node stdio-agent.ts FILE`: an agent over stdin and stdout, with its store in a file. Asked to `write`, it calls a tool that needs
// approval; to `wait`, one that waits until it is told to end; to `make noise`, one that prints wherever it can.
const [path = ""] = process.argv.slice(2);
const store = await sqliteStore({ path });

const answer: ScriptedStep = ({ messages }) => {
  const last = messages.at(-1);
  const text = last?.role === "user" ? JSON.stringify(last.content) : "";
  const name = text.includes("<results>") ? undefined : ["write", "wait", "noise"].find((one) => text.includes(one));
  return name === undefined ? "This is what the agent says.<end>" : `<execute>[{"name":"${name}","args":{}}]</execute>`;
};

const none = { type: "object", properties: {} } as const;
const tools = [
  defineTool({ name: "write", description: "Writes.", input: none, approval: "ask", execute: () => "wrote" }),
  defineTool({ name: "wait", description: "Waits.", input: none, execute: (_, { signal }) => untilAborted(signal) }),
  defineTool({ name: "noise", description: "Prints.", input: none, execute: printEverywhere }),
];

function printEverywhere(): string {
  console.log("a log");
  console.info("an info");
  console.table([{ a: 1 }]);
  process.stdout.write("a write\n");
  process.stdout.write(Buffer.from("bytes\n"));
  return "printed";
}

/** Keeps the process alive meanwhile, as a child would. */
function untilAborted(signal: AbortSignal): Promise<string> {
  const timer = setInterval(() => {}, 1000);
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => {
      clearInterval(timer);
      reject(signal.reason);
    });
  });
}

const agent = createAgent({
  provider: scripted(Array.from({ length: 100 }, () => answer)),
  store,
  tools,
  keyRing: createKeyRing(["a secret of this machine, at least 32 bytes"]),
});

const acp = createAcp({
  info: { name: "stdio-agent", version: "1.0.0" },
  store,
  open: async () => ({ agent: async () => agent, close: async () => {} }),
  onError: (error) => console.error(error),
});

await serveOverStdio(acp);
await store.close();
