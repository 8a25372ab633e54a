import type { Json } from "@cogency/protocol";
import type { ListIntent } from "../request/intent.ts";
import { bullets, counted, subject } from "./phrases.ts";

/** Describes the entries of a folder; undefined if the content is not a listing. */
export function listAnswer(intent: ListIntent, content: Json): string | undefined {
  if (!isListing(content)) return undefined;
  const { entries, truncated = 0 } = content;
  const folders = entries.filter((entry) => entry.endsWith("/")).length;
  const files = counted(entries.length - folders, "file");
  const least = truncated > 0 ? "at least " : "";
  const holds = `${subject(intent)} holds`;
  if (intent.count === "files") return `${holds} ${least}${files}.`;
  if (intent.count === "folders") return `${holds} ${least}${counted(folders, "folder")}.`;
  if (intent.count === "entries") return `${holds} ${counted(entries.length + truncated, "entry")}.`;
  if (entries.length === 0) return `${subject(intent)} is empty.`;
  return bullets(`${holds} ${least}${files} and ${counted(folders, "folder")}:`, entries, truncated);
}

function isListing(content: Json): content is { entries: string[]; truncated?: number } {
  const { entries, truncated = 0 } = (content ?? {}) as { entries?: unknown; truncated?: unknown };
  const areNames = Array.isArray(entries) && entries.every((entry) => typeof entry === "string");
  return areNames && typeof truncated === "number";
}
