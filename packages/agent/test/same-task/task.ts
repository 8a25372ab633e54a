import { defineTool } from "@cogency/tools";
import * as z from "zod";
import type { TaskStep } from "./answers.ts";

/** The tools of the task: two that work, and one that fails. */
export function shopTools() {
  const item = z.string();
  return [
    defineTool({
      name: "stock",
      description: "Count what is there.",
      input: z.object({ item }),
      annotations: { readOnlyHint: true },
      execute: ({ item }) => ({ item, count: item.length }),
    }),
    defineTool({
      name: "reserve",
      description: "Put some aside.",
      input: z.object({ item, count: z.number().int() }),
      execute: ({ item, count }) => `${count} of "${item}" <put> aside`,
    }),
    defineTool({
      name: "ship",
      description: "Send it.",
      input: z.object({ item }),
      execute: () => {
        throw new Error("The van is broken.");
      },
    }),
  ];
}

export const prompt = "Reserve two lamps, and send them.";

/** Every step has one call at most, so that every driver can do the same in the same steps. */
export const singleCalls: readonly TaskStep[] = [
  { thinks: "The stock comes first.", calls: [{ name: "stock", args: { item: "lamp" } }] },
  { thinks: "Four are there.", calls: [{ name: "ship", args: { item: "lamp" } }] },
  { thinks: "Then they must wait.", calls: [{ name: "reserve", args: { item: "lamp", count: 2 } }] },
  { thinks: "That is all I can do.", answers: "Two lamps are put aside; the van is broken." },
];

/** Two calls in a turn, twice; one of the four fails. */
export const pairsOfCalls: readonly TaskStep[] = [
  {
    thinks: "Lamps need bulbs.",
    calls: [
      { name: "stock", args: { item: "lamp" } },
      { name: "stock", args: { item: "bulb" } },
    ],
  },
  {
    thinks: "Both are there.",
    calls: [
      { name: "ship", args: { item: "lamp" } },
      { name: "reserve", args: { item: "bulb", count: 2 } },
    ],
  },
  { thinks: "That is all I can do.", answers: "Two bulbs are put aside; the van is broken." },
];
