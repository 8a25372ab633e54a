import { parseResults } from "@cogency/protocol";
import { memoryStore, type Store } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import * as z from "zod";

/** The name that tests give a conversation. */
export const conversation = "c";

/** A block with these calls. */
export function block(...calls: [name: string, args: object][]): string {
  return `<execute>${JSON.stringify(calls.map(([name, args]) => ({ name, args })))}</execute>`;
}

/** Returns what it is given. */
export const echo = defineTool({
  name: "echo",
  description: "Give the text back.",
  input: z.object({ text: z.string() }),
  annotations: { readOnlyHint: true },
  execute: ({ text }) => text,
});

/** Always fails. */
export const broken = defineTool({
  name: "broken",
  description: "Fail.",
  input: z.object({}),
  execute: () => {
    throw new Error("out of paper");
  },
});

/** Never ends by itself; ends at once when it is told to. */
export const endless = defineTool({
  name: "endless",
  description: "Wait for ever.",
  input: z.object({}),
  execute: (_, { signal }) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
});

/** What a model writes that calls `echo` and then answers. */
export const twoSteps = [`<think>look</think>Looking.${block(["echo", { text: "a" }])}`, "It says a.<end>"];

export async function collect<E>(run: AsyncIterable<E>): Promise<E[]> {
  const events: E[] = [];
  for await (const event of run) events.push(event);
  return events;
}

/** The results of each batch in the log of `conversation`; null where an event does not hold results. */
export async function resultsIn(store: Store) {
  const events = await store.load({ conversation }, { types: ["result"] });
  return events.map((event) => (event.type === "result" ? parseResults(event.content) : null));
}

export const types = (events: readonly { type: string }[]) => events.map((event) => event.type);

/** A store whose leases run out by a clock in the hands of the test. */
export function clocked(): { store: Store; time: { now: number } } {
  const time = { now: 1_000 };
  return { store: memoryStore({ clock: () => time.now }), time };
}
