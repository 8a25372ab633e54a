import { spawnSync } from "node:child_process";
import { writeSync } from "node:fs";
import { createAgent, defineTool } from "@cogency/agent";
import { type ScriptedStep, scripted } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { type Acp, createAcp } from "../../src/index.ts";

/**
 * An agent that does what it is asked: to `write`, it calls a tool that needs approval; to `wait`, one that waits until it is told to end; to
 * make `noise`, one that prints wherever it can in a program; to make `deep` noise, one that writes to descriptors.
 */
export function stdioSite(store: Store): Acp {
  const agent = createAgent({
    provider: scripted(Array.from({ length: 100 }, () => answer)),
    store,
    tools,
    keyRing: createKeyRing(["a secret of this machine, at least 32 bytes"]),
  });
  return createAcp({
    info: { name: "stdio-agent", version: "1.0.0" },
    store,
    open: async () => ({ agent: async () => agent, close: async () => {} }),
    onError: (error) => console.error(error),
  });
}

const answer: ScriptedStep = ({ messages }) => {
  const last = messages.at(-1);
  const text = last?.role === "user" ? JSON.stringify(last.content) : "";
  const known = ["write", "wait", "noise", "deep"];
  const name = text.includes("<results>") ? undefined : known.find((one) => text.includes(one));
  return name === undefined ? "This is what the agent says.<end>" : `<execute>[{"name":"${name}","args":{}}]</execute>`;
};

const none = { type: "object", properties: {} } as const;
const tools = [
  defineTool({ name: "write", description: "Writes.", input: none, approval: "ask", execute: () => "wrote" }),
  defineTool({ name: "wait", description: "Waits.", input: none, execute: (_, { signal }) => untilAborted(signal) }),
  defineTool({ name: "noise", description: "Prints.", input: none, execute: printEverywhere }),
  defineTool({ name: "deep", description: "Writes to descriptors.", input: none, execute: writeToDescriptors }),
];

function printEverywhere(): string {
  console.log("a log");
  console.info("an info");
  console.table([{ a: 1 }]);
  process.stdout.write("a write\n");
  process.stdout.write(Buffer.from("bytes\n"));
  return "printed";
}

function writeToDescriptors(): string {
  writeSync(1, "to the descriptor\n");
  spawnSync("sh", ["-c", "echo from a child"], { stdio: "inherit" });
  const { status } = spawnSync("sh", ["-c", "echo to the messages >&3"], { stdio: "inherit" });
  return status === 0 ? "A child has the descriptor of the messages." : "No child has it.";
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
