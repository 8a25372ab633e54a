import type { JsonObject } from "@cogency/protocol";
import { fileChanges } from "../conversation/changed-lines.ts";
import { excerpt } from "../conversation/format.ts";
import { asText } from "../conversation/search-text.ts";
import { revealed } from "../text.ts";
import { diffView } from "./diff-view.ts";
import { longText } from "./long-text.ts";
import { tag } from "./tag.ts";

/** All arguments of a call. With `isWhole`, as a question needs it, nothing of them is cut or collapsed. */
export function argumentsView(name: string, args: JsonObject, isWhole = false): HTMLElement[] {
  const files = fileChanges(name, args);
  const views: HTMLElement[] = (files?.changes ?? []).map(({ title, lines }) => diffView(title, lines, isWhole));
  const rest = Object.entries(args).filter(([key]) => !files?.told.includes(key));
  if (rest.length > 0) {
    const rows = rest.flatMap(([key, value]) => [
      tag("dt", {}, revealed(key)),
      tag("dd", {}, valueView(value, isWhole)),
    ]);
    views.push(tag("dl", { class: "arguments" }, ...rows));
  }
  return views;
}

function valueView(value: unknown, isWhole: boolean): HTMLElement {
  const text = asText(value);
  if (isWhole) return tag("pre", { class: "whole" }, revealed(text));
  return text.includes("\n") || text.length > 200 ? longText(text) : tag("code", {}, revealed(text));
}

/** What a call is about, on one line. */
export function gistOf(args: JsonObject | undefined): string {
  if (!args) return "";
  const { agent, prompt, command, file, path, pattern, query, url } = args;
  if (typeof agent === "string" && typeof prompt === "string") return revealed(excerpt(`${agent}: ${prompt}`, 120));
  const first = [command, file, url, query, pattern, path].find((value) => typeof value === "string" && value !== "");
  const text = typeof first === "string" ? first : Object.keys(args).length > 0 ? JSON.stringify(args) : "";
  return revealed(excerpt(text, 120));
}
