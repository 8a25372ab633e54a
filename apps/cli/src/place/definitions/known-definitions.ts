import type { Tool } from "@cogency/tools";
import { messageOf } from "../../base/errors/message-of.ts";
import { fileVersion } from "../../base/files/file-version.ts";
import { noteOnce } from "../../base/terminal/note.ts";
import { type Definition, definitionOf, fingerprintOf } from "./definition.ts";
import { definitionDifference } from "./definition-difference.ts";
import {
  definitionFile,
  isSameTool,
  type KnownDefinition,
  keepDefinition,
  mostKnown,
  readDefinitions,
} from "./definition-file.ts";

/** The definitions of servers' tools that the person has let run. A tool that no server has defined is never in doubt. */
export interface KnownDefinitions {
  /** Why a call of the tool asks, whatever rules say. Undefined for a definition that is known, and for the first of a tool. */
  doubtAbout(tool: Tool): Doubt | undefined;
  /** The same of a tool that another process has. */
  doubtAboutElsewhere(tool: ToolElsewhere): Doubt | undefined;
  /** From now on this definition of the tool is the known one. Resolves when the file holds it; never rejects. */
  learn(tool: Tool): Promise<void>;
}

/** A tool as a process sees it that does not have it. */
export interface ToolElsewhere {
  /** The server, as in `Tool.definedBy`. */
  readonly definedBy: string;
  readonly name: string;
  /** The fingerprint. */
  readonly hash: string;
  /** Undefined for one that is too long to keep. */
  readonly definition?: Definition | undefined;
}

export interface Doubt {
  /** One sentence. */
  readonly why: string;
  /** What has changed, as in a diff; see `definitionDifference`. */
  readonly lines: readonly string[];
}

/**
 * @param now the time in milliseconds since 1970
 * @param tell hears of a definition that the file does not take
 */
export function knownDefinitions(
  file = definitionFile(),
  now: () => number = Date.now,
  tell: (text: string) => void = noteOnce,
): KnownDefinitions {
  /** Of this process: those that are being written, and those that the file does not take. */
  let learnt: readonly KnownDefinition[] = [];
  let version: string | undefined;
  let read: { known: readonly KnownDefinition[]; problem?: string } = { known: [] };
  const inFile = () => {
    const found = fileVersion(file);
    if (found !== version) {
      version = found;
      read = readIfAny(file);
    }
    return read;
  };
  const lastOf = ({ definedBy, name }: Pick<Tool, "definedBy" | "name">) =>
    [...learnt, ...inFile().known].find((one) => one.definedBy === definedBy && one.name === name);
  const isKnown = (tool: Tool) => lastOf(tool)?.hash === fingerprintOf(tool);
  const doubtAboutElsewhere = (tool: ToolElsewhere): Doubt | undefined => {
    const { name, hash, definition } = tool;
    const last = lastOf(tool);
    if (last) return last.hash === hash ? undefined : changed(last, name, definition);
    const { known, problem } = inFile();
    if (problem !== undefined)
      return { why: `Whether the definition of ${name} has changed is not known: ${problem}`, lines: [] };
    if (known.length < mostKnown) return undefined;
    return {
      why: `Whether the definition of ${name} changes cannot be noted: ${file} is full. Remove it.`,
      lines: [],
    };
  };
  return {
    doubtAboutElsewhere,
    doubtAbout(tool) {
      const { definedBy, name } = tool;
      if (definedBy === undefined || isKnown(tool)) return undefined;
      return doubtAboutElsewhere({ definedBy, name, hash: fingerprintOf(tool), definition: definitionOf(tool) });
    },
    async learn(tool) {
      const { definedBy, name } = tool;
      if (definedBy === undefined || isKnown(tool)) return;
      const since = new Date(now()).toISOString().slice(0, 10);
      const added = { definedBy, name, hash: fingerprintOf(tool), since, definition: definitionOf(tool) };
      learnt = [added, ...learnt.filter((one) => !isSameTool(one, added))];
      try {
        await keepDefinition(file, added);
        learnt = learnt.filter((one) => one !== added);
      } catch (error) {
        tell(`The definition of ${name} counts as known in this process only: ${messageOf(error as Error)}`);
      }
    },
  };
}

function readIfAny(file: string): { known: readonly KnownDefinition[]; problem?: string } {
  try {
    return { known: readDefinitions(file) };
  } catch (error) {
    return { known: [], problem: messageOf(error as Error) };
  }
}

function changed({ since, definition: before }: KnownDefinition, name: string, definition?: Definition): Doubt {
  const why = `The server has changed its definition of ${name} since ${since}, when you let it run.`;
  if (definition === undefined) return { why, lines: ["@ what it is now is too long to be shown here"] };
  return {
    why,
    lines: before ? definitionDifference(before, definition) : ["@ what it was before is not kept any more"],
  };
}
