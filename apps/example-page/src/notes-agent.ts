import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Agent, createAgent, defineTool } from "@cogency/agent";
import offline from "@cogency/provider-offline";
import type { Store } from "@cogency/storage";
import type { KeyRing } from "@cogency/tools";
import * as z from "zod";

/** No separator fits, so that no name leads out of the folder. */
const file = z.string().regex(/^[\w-]{1,100}\.(txt|md)$/, "give a name such as notes.txt, without a folder");

/** An agent that keeps notes in a folder. It reads them as it likes, and asks before it writes. */
export async function notesAgent(folder: string, store: Store, keyRing: KeyRing): Promise<Agent> {
  await mkdir(folder, { recursive: true });
  const read = defineTool({
    name: "read",
    description: "Reads a note.",
    input: z.object({ file }),
    annotations: { readOnlyHint: true },
    execute: ({ file }) => readFile(join(folder, file), "utf8"),
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
  return createAgent({ provider: offline(), tools: [read, write], store, keyRing });
}
