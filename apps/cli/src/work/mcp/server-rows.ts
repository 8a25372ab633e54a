import { oneLine } from "../../base/terminal/text.ts";
import type { ServerView } from "./servers.ts";
import { stateText } from "./state-text.ts";

/**
 * All about one server, a name and a text a row.
 *
 * @param now the time, in a chat
 */
export function serverRows(view: ServerView, now?: number): (readonly [name: string, text: string])[] {
  const { name, place, kind, identity, protocol, title, version, tools, prompts, resources } = view;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["state", stateText(view, now)],
    ["from", place],
    [kind === "http" ? "address" : "command", identity],
    ["says it is", [title, version].filter(Boolean).join(" ") || undefined],
    ["protocol", protocol],
    ["tools", listed(tools)],
    ["prompts", listed(prompts.map((prompt) => `/${name}:${prompt}`))],
    ["resources", resources === 0 ? undefined : `${resources}; in a chat, @${name}: completes them`],
  ];
  return rows.flatMap(([row, text]) => (text === undefined ? [] : [[row, oneLine(text, 2000)] as const]));
}

function listed(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : names.join(", ");
}
