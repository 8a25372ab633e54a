import { appendFile, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type CallOf, defineTool } from "@cogency/agent";
import * as z from "zod";

/** The calls of the tools. The page imports the type, and knows the arguments of each call by its name. */
export type NoteCall = CallOf<Awaited<ReturnType<typeof noteTools>>[number]>;

/** No separator fits, so that no name leads out of the folder. */
const file = z.string().regex(/^[\w-]{1,100}\.(txt|md)$/, "give a name such as notes.txt, without a folder");
const annotations = { readOnlyHint: true };

/** Tools that keep notes in a folder. They read as the model likes, and ask a person before they write. */
export async function noteTools(folder: string) {
  await mkdir(folder, { recursive: true });
  const textOf = (name: string) => readFile(join(folder, name), "utf8");

  const list = defineTool({
    name: "list",
    description: "Lists the notes.",
    input: z.object({}),
    annotations,
    execute: async () => ({ entries: await readdir(folder) }),
  });

  const read = defineTool({
    name: "read",
    description: "Reads a note. If there is none of this name, the person is asked which one they mean.",
    input: z.object({ file }),
    annotations,
    asks: true,
    async execute({ file }, { ask }) {
      const names = await readdir(folder);
      if (names.includes(file) || names.length === 0) return textOf(file);
      return textOf(await ask({ message: `There is no ${file}. Which note do you mean?`, schema: z.enum(names) }));
    },
  });

  const find = defineTool({
    name: "find",
    description: "Finds the lines with a text in all notes.",
    input: z.object({ text: z.string() }),
    annotations,
    async *execute({ text }) {
      const matches: { file: string; line: number; text: string }[] = [];
      const names = await readdir(folder);
      for (const [at, name] of names.entries()) {
        yield `${name}, ${at + 1} of ${names.length}`;
        // Nobody would see the progress of a few small files.
        await setTimeout(500);
        for (const [row, line] of (await textOf(name)).split("\n").entries())
          if (line.includes(text)) matches.push({ file: name, line: row + 1, text: line });
      }
      return { matches };
    },
  });

  const write = defineTool({
    name: "write",
    description: "Adds a line to a note.",
    input: z.object({ file, content: z.string() }),
    approval: "ask",
    resource: ({ file }) => `file:${file}`,
    async execute({ file, content }) {
      await appendFile(join(folder, file), `${content}\n`);
      return `${file} has a new line.`;
    },
  });

  return [list, read, find, write];
}
