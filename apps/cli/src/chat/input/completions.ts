import { resolve } from "node:path";
import type { AutocompleteItem, AutocompleteProvider } from "@earendil-works/pi-tui";
import { oneLine } from "../../base/terminal/text.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { customCommandsLike } from "../slash/custom-commands.ts";
import { slashCommands, slashNames } from "../slash/slash-commands.ts";
import { FileIndex } from "./file-index.ts";
import { rankedPaths } from "./ranked-paths.ts";
import { resourceItems } from "./resource-items.ts";

/** Suggestions that are made at once. */
const most = 50;

/** Completes commands after `/` at the beginning, their arguments, and paths of the root and resources of servers after `@`. */
export function completions(conversation: Conversation): AutocompleteProvider {
  const files = new FileIndex(resolve(conversation.session.choice.root));
  return {
    triggerCharacters: ["@"],
    async getSuggestions(lines, cursorLine, cursorCol) {
      const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
      const [, name, gap, typed = ""] = (cursorLine === 0 && /^\/([\w/:-]*)(?:(\s+)(\S*))?$/.exec(before)) || [];
      if (name !== undefined && gap === undefined) return suggested(await commandsLike(name, conversation), before);
      if (name !== undefined && !typed.startsWith("@"))
        return suggested(await argumentsLike(name, typed, conversation), typed);
      const [, path] = /(?:^|\s)@([^\s"']*)$/.exec(before) ?? [];
      if (path === undefined) return null;
      const opened = await conversation.session.open().catch(() => undefined);
      const resources = await resourceItems(path, opened?.mcp.servers?.mcp);
      const found = path.includes(":") && resources.length > 0 ? [] : rankedPaths(path, await files.paths(), most);
      return suggested([...found.map(pathItem), ...resources], `@${path}`);
    },
    applyCompletion(lines, cursorLine, cursorCol, { value }, prefix) {
      const line = lines[cursorLine] ?? "";
      const begin = line.slice(0, cursorCol - prefix.length) + value;
      const changed = [...lines];
      changed[cursorLine] = begin + line.slice(cursorCol);
      return { lines: changed, cursorLine, cursorCol: begin.length };
    },
  };
}

function suggested(items: AutocompleteItem[], prefix: string) {
  return items.length > 0 ? { items, prefix } : null;
}

/** What was typed whole stands first, since Enter takes the first: `/mode` is no beginning of `/model`. */
async function commandsLike(typed: string, conversation: Conversation): Promise<AutocompleteItem[]> {
  const custom = await customCommandsLike(conversation, typed, slashNames()).catch(() => []);
  return [...slashCommands.filter(({ name }) => name.startsWith(typed)), ...custom]
    .toSorted((a, b) => Number(b.name === typed) - Number(a.name === typed))
    .map(({ name, help }) => ({ value: `/${name} `, label: `/${name}`, description: help }));
}

async function argumentsLike(name: string, typed: string, conversation: Conversation): Promise<AutocompleteItem[]> {
  const command = slashCommands.find((one) => one.name === name);
  const words = (await Promise.resolve(command?.complete?.(conversation)).catch(() => [])) ?? [];
  return words
    .filter((word) => word.startsWith(typed) && word !== typed)
    .map((word) => ({ value: word, label: oneLine(word, 60) }));
}

function pathItem(path: string): AutocompleteItem {
  return { value: /[\s"']/.test(path) ? `@"${path}"` : `@${path}`, label: oneLine(path, 100) };
}
