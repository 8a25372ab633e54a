import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../config/open-project.ts";
import { noteOnce } from "../terminal/note.ts";
import { oneLine } from "../terminal/text.ts";
import { configurationFolder } from "./configuration-folder.ts";

/** Bytes of one file that the model reads. */
export const mostContextBytes = 32_768;

/**
 * Returns what the AGENTS.md files say, each with its path: that of the user, then those of the project from its top down to the root,
 * so that the nearest stands last. The text changes only with the files. Those of a folder that is not trusted are not among
 * them.
 */
export function contextText({ contextFiles }: Pick<Project, "contextFiles">): string | undefined {
  const texts = [join(configurationFolder(), "AGENTS.md"), ...contextFiles].flatMap((file) => {
    const text = beginningOf(file)?.trim();
    return text ? [`From ${file}:\n\n${text}`] : [];
  });
  if (texts.length === 0) return undefined;
  return [
    "What follows was written by the user and for this project. Where two files disagree, the later one counts.",
    ...texts,
  ].join("\n\n");
}

/** Reads a file up to the limit, and says where it was cut. Undefined if it cannot be read, which stderr says. */
function beginningOf(file: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") noteOnce(`${oneLine(file, 300)} cannot be read (${code}), so the model does not get it.`);
    return undefined;
  }
  try {
    const buffer = Buffer.alloc(mostContextBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(descriptor, buffer, length, buffer.length - length, null);
    }
    // A character that is cut in two becomes a mark at the end, which is left out.
    const text = buffer.subarray(0, Math.min(length, mostContextBytes)).toString("utf8");
    if (length <= mostContextBytes) return text;
    noteOnce(`${oneLine(file, 300)} is long: the model gets its first ${mostContextBytes} bytes.`);
    return `${text.replace(/\ufffd$/, "")}\n\n(The file is longer. It was cut here, after ${mostContextBytes} bytes.)`;
  } catch (error) {
    noteOnce(
      `${oneLine(file, 300)} cannot be read (${(error as NodeJS.ErrnoException).code}), so the model does not get it.`,
    );
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}
