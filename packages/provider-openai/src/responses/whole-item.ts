import { isObject } from "../wire-values.ts";

type Item = Readonly<Record<string, unknown>>;

/** What a whole message item says, refusals included. */
export function messageText(item: Item): string {
  return texts(item.content).join("");
}

/** Summaries and, of models that show it, the reasoning itself. */
export function reasoningText(item: Item): string {
  return [...texts(item.summary), ...texts(item.content)].join("\n\n");
}

function texts(parts: unknown): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.filter(isObject).map(({ text, refusal }) => {
    if (typeof text === "string") return text;
    return typeof refusal === "string" ? refusal : "";
  });
}
