import type { Store } from "@cogency/storage";
import { wakingStore } from "@cogency/worker";
import { promptOf } from "../test/fleet/plan.ts";
import { type OpenOptions, openWith } from "./open-with.ts";
import { steppingAgent } from "./stepping-agent.ts";

/** Sends prompts, as a web server does. */
export interface Sender {
  store: Store;
  send(conversation: string, steps: number): Promise<unknown>;
  close(): Promise<void>;
}

export async function openSender(options: OpenOptions): Promise<Sender> {
  const { store, dispatcher, close } = await openWith(options);
  const agent = steppingAgent(wakingStore(store, dispatcher), () => {
    throw new Error("The sender takes no step.");
  });
  return {
    store,
    send: (conversation, steps) =>
      agent.send(
        { conversation, user: userOf(conversation) },
        { kind: "prompt", content: promptOf(steps) },
        { id: "prompt" },
      ),
    close,
  };
}

/** One of a hundred. */
function userOf(conversation: string): string {
  return `user ${conversation.slice(-2)}`;
}

/** Sends to so many conversations, a few at one time. */
export async function sendMany(sender: Sender, count: number, steps: number): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await sender.send(`talk ${next++}`, steps);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}
