import type { PlanChoice } from "./plan-choice.ts";

/** What a person said about a plan. */
export type PlanAnswer =
  | { readonly kind: "accept"; readonly choice: string }
  | { readonly kind: "refuse" }
  | { readonly kind: "change"; readonly words: string };

/** Reads an answer. Only the exact name of a choice gives that choice, and a plain yes gives the first, most careful one. */
export function readAnswer(answer: string, choices: readonly PlanChoice[]): PlanAnswer {
  const words = answer.trim();
  const word = words.toLowerCase();
  const chosen = choices.find(({ name }) => name.toLowerCase() === word);
  if (chosen) return { kind: "accept", choice: chosen.name };
  const [first] = choices;
  if (first && yes.has(word)) return { kind: "accept", choice: first.name };
  return word === "" || no.has(word) ? { kind: "refuse" } : { kind: "change", words };
}

const yes: ReadonlySet<string> = new Set(["y", "yes", "ok", "accept"]);
const no: ReadonlySet<string> = new Set(["n", "no", "refuse"]);
