import type { Command } from "commander";
import { put } from "../../base/terminal/output.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { type Candidate, type Completion, completionOf } from "./candidates.ts";

/**
 * Prints what may stand where the cursor is: a line each, the text and, after a tab, what it is. The line `:files` lets the shell
 * complete paths. Called by the scripts of `cogency completion`; prints nothing where something fails. A person waits for it, so it
 * loads only what the place of the cursor needs.
 */
export async function complete(program: Command, words: readonly string[]): Promise<void> {
  const { candidates, values, of = "" } = completionOf(program, joined(words));
  const [typed = ""] = words.at(-1) === "=" ? [] : words.slice(-1);
  const [prefix = ""] = /^--[^=]+=/.exec(typed) ?? [];
  const found = values === undefined || values === "files" ? [] : await lookedUp(values, of, words).catch(() => []);
  const looked = found.map(({ text, help }) => ({ text: prefix + text, help }));
  const fitting = [...candidates, ...looked].filter(({ text }) => text.startsWith(typed));
  const lines = fitting.map(({ text, help }) => `${text}\t${oneLine(help, 60)}\n`);
  await put(`${lines.join("")}${values === "files" ? ":files\n" : ""}`);
}

/** Bash gives `--resume=ab` as three words, and completes the last one. */
function joined(words: readonly string[]): string[] {
  const at = words.lastIndexOf("=");
  const isValue = at > 0 && at >= words.length - 2 && words[at - 1]?.startsWith("--");
  return isValue ? [...words.slice(0, at), words[at + 1] ?? ""] : [...words];
}

async function lookedUp(
  values: Exclude<Completion["values"], "files" | undefined>,
  of: string,
  words: readonly string[],
): Promise<Candidate[]> {
  switch (values) {
    case "conversations":
      return conversations();
    case "models": {
      const { knownModels } = await import("../../place/known-models.ts");
      return Object.entries(await knownModels()).flatMap(([server, models]) =>
        models.filter(isWord).map((text) => ({ text, help: server })),
      );
    }
    case "tools": {
      const { toolNames } = await import("../../base/tool-names.ts");
      return toolNames.map((text) => ({ text, help: "" }));
    }
    case "servers": {
      const { serverNames } = await import("./server-names.ts");
      return serverNames(of, words.includes("--project"));
    }
    case "serverTools": {
      const { knownServerTools } = await import("./server-names.ts");
      return knownServerTools(of);
    }
  }
}

async function conversations(): Promise<Candidate[]> {
  const [{ defaultStore }, { isServer }] = await Promise.all([
    import("../../place/store/store-path.ts"),
    import("../../place/store/store-address.ts"),
  ]);
  const place = defaultStore();
  // A server may be far away, and a completion must not wait for it.
  if (isServer(place)) return [];
  const { existsSync } = await import("node:fs");
  if (!existsSync(place)) return [];
  const { openStore } = await import("../../place/store/open-store.ts");
  const store = await openStore(place, { readOnlyIfNeeded: true });
  try {
    const latest = await store.conversations({ limit: 50 });
    return latest.flatMap(({ conversation: text, title: help }) => (isWord(text) ? [{ text, help }] : []));
  } finally {
    await store.close();
  }
}

/** Whether a shell takes a text as it is. */
function isWord(text: string): boolean {
  return /^[\w@%+=:,./-]+$/.test(text);
}
