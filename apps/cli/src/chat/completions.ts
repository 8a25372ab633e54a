import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { AutocompleteItem, AutocompleteProvider } from "@earendil-works/pi-tui";
import { slashCommands } from "./slash-commands.ts";

/** Completes the names of commands after `/` at the beginning, and paths below a folder after `@`. */
export function completions(folder: string): AutocompleteProvider {
  return {
    triggerCharacters: ["@"],
    async getSuggestions(lines, cursorLine, cursorCol) {
      const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
      const command = cursorLine === 0 ? /^\/([a-z]*)$/.exec(before) : null;
      if (command) {
        const items = commandsLike(command[1] ?? "");
        return items.length > 0 ? { items, prefix: before } : null;
      }
      const [, path] = /(?:^|\s)@([^\s"']*)$/.exec(before) ?? [];
      if (path === undefined) return null;
      const items = await pathsLike(path, folder);
      return items.length > 0 ? { items, prefix: `@${path}` } : null;
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

function commandsLike(typed: string): AutocompleteItem[] {
  return slashCommands
    .filter(({ name }) => name.startsWith(typed))
    .map(({ name, help }) => ({ value: `/${name} `, label: `/${name}`, description: help }));
}

/** Folders that hold what nobody types. */
const skipped: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** The files and folders that begin like a path. */
async function pathsLike(path: string, folder: string): Promise<AutocompleteItem[]> {
  const slash = path.lastIndexOf("/") + 1;
  const [parent, begin] = [path.slice(0, slash), path.slice(slash)];
  const entries = await readdir(join(folder, parent), { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => name.startsWith(begin) && !skipped.has(name) && (begin !== "" || !name.startsWith(".")))
    .slice(0, 50)
    .map((entry) => {
      const name = `${parent}${entry.name}${entry.isDirectory() ? "/" : ""}`;
      return { value: /[\s"']/.test(name) ? `@"${name}"` : `@${name}`, label: name };
    });
}
