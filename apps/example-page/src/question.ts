import type { QuestionPart } from "@cogency/client";

/** What the person is asked. */
export function questionOf({ message, name, touches }: QuestionPart): string {
  return message ?? `May ${name} run${touches.length > 0 ? ` on ${touches.join(", ")}` : ""}?`;
}

/** The answers that the schema lists; none if the person writes one. */
export function answersOf({ schema }: QuestionPart): readonly (string | number | boolean)[] {
  if (schema?.type === "boolean") return [true, false];
  return Array.isArray(schema?.enum) ? (schema.enum as string[]) : [];
}

/** What the person wrote, as the schema wants it: a text, or any other value as JSON. */
export function answerOf({ schema }: QuestionPart, words: string) {
  if (schema?.type === undefined || schema.type === "string") return words;
  try {
    return JSON.parse(words);
  } catch {
    return words;
  }
}
