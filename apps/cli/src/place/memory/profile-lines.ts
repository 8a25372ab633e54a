import type { EditedMemory, Memory } from "@cogency/memory";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";

const topics = ["person", "preference", "project", "rule"] as const;

const head = [
  "# What is remembered of you: one memory a line, with its id, what it is about, and the words.",
  `# It is about one of these: ${topics.join(", ")}. What is about a project counts in the folder where it was said.`,
  '# Change words, remove lines, or add lines with "new" in place of the id. Lines that begin with # do not count.',
];

/** Memories as lines that a person edits. */
export function linesOf(memories: readonly Memory[]): string {
  const lines = memories.map(({ id, about, words }) => `${id} ${about} ${oneLine(words, 1000)}`);
  return `${[...head, ...lines].join("\n")}\n`;
}

/** An edited memory with the number of its line. */
export interface EditedLine {
  readonly line: number;
  readonly memory: EditedMemory;
}

/**
 * Reads the lines that a person has left.
 *
 * @param before the memories that the lines were made from
 * @param scope where a new memory about a project counts
 * @throws UsageError that names the line
 */
export function editedIn(text: string, before: readonly Memory[], scope: string): readonly EditedLine[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === "" || line.trimStart().startsWith("#")) return [];
    const [, id = "", about = "", words = ""] = /^\s*(\S+)\s+(\S+)\s+(\S.*)$/.exec(line) ?? [];
    const wrong = (why: string) => new UsageError(`Line ${index + 1}: ${why} Nothing was changed.`);
    if (words === "") throw wrong("write an id or new, what it is about, and the words.");
    const topic = topics.find((one) => one === about);
    if (!topic) throw wrong(`${oneLine(about, 40)} is none of these: ${topics.join(", ")}.`);
    const known = before.find((memory) => memory.id === id);
    if (!known && id !== "new") throw wrong(`there is no memory ${oneLine(id, 40)}; a new one begins with new.`);
    // A line shows control characters escaped, so words that were not touched are those of before.
    const isSame = known !== undefined && oneLine(known.words, 1000) === words.trimEnd();
    const of = known ? known.scope : scope;
    const memory: EditedMemory = {
      ...(known && { id }),
      about: topic,
      words: isSame ? known.words : words.trimEnd(),
      ...(topic === "project" && of !== undefined && { scope: of }),
    };
    return [{ line: index + 1, memory }];
  });
}
