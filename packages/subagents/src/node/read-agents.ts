import { readdirSync } from "node:fs";
import { join } from "node:path";
import { checkOption, checkOptions, listOf, type OptionTable, required, text } from "@cogency/protocol/options";
import {
  type ReadTextsOptions,
  readTexts,
  readTextsTable,
  type TextFormat,
  type TextProblem,
} from "@cogency/skills/node";
import { parseAgent } from "../definition/parse-agent.ts";
import type { WrittenAgent } from "../definition/written-agent.ts";

export interface ReadAgentsOptions extends ReadTextsOptions {
  /** The tools that the program has. A file that names another one is left out. Defaults to any name. */
  tools?: readonly string[] | undefined;
}

export interface FoundAgent extends WrittenAgent {
  /** The path of its file, below the folder that was given. */
  readonly file: string;
}

export interface FoundAgents {
  /** Sorted by name. */
  readonly agents: readonly FoundAgent[];
  readonly problems: readonly TextProblem[];
}

/**
 * Reads the agents of folders: each file `*.md` in one of them is an agent. Of two with one name that of the earlier folder counts, and
 * the other one is a problem. A folder that does not exist has none. Nothing in them is run.
 */
export async function readAgents(folders: readonly string[], options: ReadAgentsOptions = {}): Promise<FoundAgents> {
  checkOption("readAgents", "folders", folders, required(listOf(text, "an array of paths")));
  const { format, rest } = checked("readAgents", options);
  const unread: TextProblem[] = [];
  const files = folders.flatMap((folder) => filesIn(folder, unread));
  const { items, problems } = readTexts(files, format, rest);
  return { agents: items, problems: [...unread, ...problems] };
}

/** Reads the agent of one file, by the same rules. Without a file there is the problem `file_missing`. */
export async function readAgent(
  file: string,
  options: ReadAgentsOptions = {},
): Promise<{ readonly agent?: FoundAgent | undefined; readonly problems: readonly TextProblem[] }> {
  checkOption("readAgent", "file", file, required(text));
  const { format, rest } = checked("readAgent", options);
  let isThere = false;
  const noting: TextFormat<FoundAgent> = {
    ...format,
    parse(...found) {
      isThere = true;
      return format.parse(...found);
    },
  };
  const { items, problems } = readTexts([file], noting, rest);
  if (isThere || problems.length > 0) return { agent: items[0], problems };
  const message = "There is no file of this name. Write one that begins with the front matter of an agent.";
  return { problems: [{ code: "file_missing", file, line: 1, message }] };
}

function checked(
  where: string,
  options: ReadAgentsOptions,
): { format: TextFormat<FoundAgent>; rest: ReadTextsOptions } {
  checkOptions<ReadAgentsOptions>(where, options, optionTable);
  const { tools, ...rest } = options;
  return { format: agentFormat(tools), rest };
}

const optionTable: OptionTable<ReadAgentsOptions> = { ...readTextsTable, tools: listOf(text) };

function agentFormat(tools: readonly string[] | undefined): TextFormat<FoundAgent> {
  return {
    kind: "agent",
    parse({ file, source }, _, holds) {
      const { agent, problems } = parseAgent(source, { file, tools });
      return agent === undefined ? { problems } : { item: { ...agent, file, ...(holds && { holds }) }, problems };
    },
  };
}

/** Files in one folder that are read. */
const mostFiles = 1000;

function filesIn(folder: string, problems: TextProblem[]): string[] {
  const unread = (message: string) => void problems.push({ code: "file_unreadable", file: folder, line: 1, message });
  try {
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
    const names = entries.map(({ name }) => name).filter((name) => name.endsWith(".md") && !name.startsWith("."));
    if (names.length > mostFiles)
      unread(
        `The folder holds ${names.length} such files. The first ${mostFiles} are read; move the others elsewhere.`,
      );
    const read = names.sort().slice(0, mostFiles);
    return read.map((name) => join(folder, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code !== "ENOENT" && code !== "ENOTDIR") unread(`The folder cannot be read: the system reported ${code}.`);
    return [];
  }
}
