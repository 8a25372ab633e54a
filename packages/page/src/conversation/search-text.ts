import type { Entry } from "./step.ts";

/** Everything that an entry says, in lower case, for the search in the page. */
export function searchText({ shown, questions }: Entry): string {
  const texts: unknown[] = [];
  switch (shown.type) {
    case "call":
      texts.push(shown.name, shown.args, shown.result?.content, shown.outcome);
      break;
    case "user":
    case "text":
    case "thinking":
      texts.push(shown.content);
      break;
    case "error":
      texts.push(shown.code, shown.message);
      break;
    default:
      texts.push(shown);
  }
  for (const { message, reason, answer, decision } of questions) texts.push(message, reason, answer, decision);
  return texts.map(asText).join("\n").toLowerCase();
}

/** A text as it is; another value as JSON. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
}
