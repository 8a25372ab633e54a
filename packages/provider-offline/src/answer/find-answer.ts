import type { Json } from "@cogency/protocol";
import type { FindIntent } from "../request/intent.ts";
import { bullets, counted, sentence, subject } from "./phrases.ts";
import { codeSpan } from "./quote.ts";

/** Describes the findings of a search; undefined if the content is not one. */
export function findAnswer(intent: FindIntent, content: Json): string | undefined {
  if (!isObject(content)) return undefined;
  const least = content.truncated ? "at least " : "";
  const note = skippedNote(content.skipped);
  if (isFiles(content.files)) {
    const { length } = content.files;
    const verb = length === 1 ? "has" : "have";
    const title = sentence(`${least}${counted(length, "file")} ${verb} a name like ${subject(intent)}${place(intent)}`);
    return withItems(intent, title, content.files) + note;
  }
  if (isMatches(content.matches)) {
    const { length } = content.matches;
    const verb = length === 1 ? "contains" : "contain";
    const files = counted(new Set(content.matches.map((match) => match.file)).size, "file");
    const among = intent.count && length > 0 ? `, in ${files}` : "";
    const title = sentence(`${least}${counted(length, "line")} ${verb} ${subject(intent)}${place(intent)}${among}`);
    return (
      withItems(
        intent,
        title,
        content.matches.map(({ file, line, text }) => `${file}:${line} ${text.trim()}`),
      ) + note
    );
  }
  return undefined;
}

function withItems(intent: FindIntent, title: string, items: readonly string[]): string {
  return intent.count || items.length === 0 ? `${title}.` : bullets(`${title}:`, items);
}

function place({ path, pattern, content }: FindIntent): string {
  if (path !== undefined && path !== ".") return ` in ${codeSpan(path)}`;
  return content !== undefined && pattern !== undefined ? ` in ${codeSpan(pattern)}` : "";
}

/** `skipped` counts the files that were not searched, by the reason. */
function skippedNote(skipped: unknown): string {
  const numbers = isObject(skipped) ? Object.values(skipped).filter((one) => typeof one === "number") : [];
  const files = numbers.reduce((sum, one) => sum + one, 0);
  return files > 0 ? `\n\n${sentence(counted(files, "file"))} could not be searched.` : "";
}

interface Match {
  file: string;
  line: number;
  text: string;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFiles(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isMatches(value: unknown): value is Match[] {
  return Array.isArray(value) && value.every(isMatch);
}

function isMatch(value: unknown): value is Match {
  return (
    isObject(value) &&
    typeof value.file === "string" &&
    typeof value.line === "number" &&
    typeof value.text === "string"
  );
}
