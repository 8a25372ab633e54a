import { appendFile, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { readRegularText } from "../../base/files/read-regular-file.ts";

/** The prompts that were typed before, in a file that only the user can read. */
export class PromptHistory {
  readonly #file: string | undefined;

  /** `file` undefined: nothing is kept. */
  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** The latest prompts, the oldest first. None if the file cannot be read. */
  async load(): Promise<string[]> {
    if (this.#file === undefined) return [];
    return textOf(this.#file).split("\n").slice(-most).flatMap(promptOf);
  }

  /** Keeps a prompt. A failure loses no more than that. */
  async add(prompt: string): Promise<void> {
    if (this.#file === undefined || prompt.length > longest) return;
    try {
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
      // A new file is made with its mode; the mode of an old one stays the user's.
      await (await open(this.#file, "a", 0o600)).close();
      await appendFile(this.#file, `${JSON.stringify(prompt)}\n`);
    } catch {}
  }
}

function textOf(file: string): string {
  try {
    return readRegularText(file, { most: mostBytes }) ?? "";
  } catch {
    return "";
  }
}

function promptOf(line: string): string[] {
  try {
    const prompt: unknown = JSON.parse(line);
    return typeof prompt === "string" ? [prompt] : [];
  } catch {
    return [];
  }
}

const most = 500;
/** Characters of a prompt that is kept. */
const longest = 20_000;
/** Bytes of a file that is read. */
const mostBytes = 64 * 1_048_576;

/** The search in earlier prompts: each key makes another one. */
export interface PromptSearch {
  readonly words: string;
  /** How many of the found ones, the latest first, are passed over. */
  readonly skip: number;
}

/** The latest earlier prompt that holds the words in any letter case. `prompts` begins with the oldest. */
export function foundPrompt({ words, skip }: PromptSearch, prompts: readonly string[]): string | undefined {
  const wanted = words.toLowerCase();
  const found = [...new Set(prompts.toReversed())].filter((prompt) => prompt.toLowerCase().includes(wanted));
  return found[Math.min(skip, found.length - 1)];
}
