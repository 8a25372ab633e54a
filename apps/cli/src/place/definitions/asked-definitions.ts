import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Tool } from "@cogency/tools";
import { configurationFolder } from "../../base/configuration-folder.ts";
import { readRegularText } from "../../base/files/read-regular-file.ts";
import { definitionOf, fingerprintOf, fingerprintOfDefinition, isDefinition } from "./definition.ts";
import { mostCharacters } from "./definition-file.ts";
import type { ToolElsewhere } from "./known-definitions.ts";

/** The tool of a server about which a run asks, for a process that does not have the tool. */
export interface AskedTool extends ToolElsewhere {
  /** `yours`, or the file of the project that names the server; undefined where that is not known. */
  readonly place?: string | undefined;
}

/** Files of the folder. Those that were needed last stay. */
export const mostAsked = 200;

/** Bytes of one: what surrounds a definition is short. */
const mostBytes = 4 * mostCharacters + 65_536;

/** Private: what servers say of their tools is between them and their person. */
export function askedFolder(): string {
  return join(configurationFolder(), "mcp-asked");
}

/**
 * Keeps what a server's tool says of itself, so that a person can read it in another process. At once, because the question may be
 * answered as soon as it is in the log. A file never changes: its name has the fingerprint of what is in it.
 *
 * @param scope the folder that the conversation belongs to
 * @returns why it could not be kept; undefined if it is, and for a tool that no server has defined
 */
export function keepAsked(
  tool: Tool,
  scope: string,
  place: string | undefined,
  folder = askedFolder(),
): string | undefined {
  const { definedBy, name } = tool;
  if (definedBy === undefined) return undefined;
  try {
    const whole = definitionOf(tool);
    const definition = JSON.stringify(whole).length > mostCharacters ? undefined : whole;
    const file = join(folder, fileName(fingerprintOf(tool), scope));
    if (isThere(file)) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const draft = `${file}.${crypto.randomUUID()}`;
    try {
      writeFileSync(draft, `${JSON.stringify({ definedBy, name, place, definition })}\n`, { flag: "wx", mode: 0o600 });
      renameSync(draft, file);
    } finally {
      rmSync(draft, { force: true });
    }
    removeOld(folder);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Finds the tool with this fingerprint.
 *
 * @param scope the folder that the conversation belongs to, where the log says it
 * @returns undefined if it is not kept here, as where the run is on another machine; never throws
 */
export function askedTool(hash: string, scope: string | undefined, folder = askedFolder()): AskedTool | undefined {
  // The hash stands in a log, which may come from elsewhere: it names no other file.
  if (!/^[\da-f]{64}$/.test(hash)) return undefined;
  const names = filesIn(folder).filter((name) => name.startsWith(hash) && name.endsWith(".json"));
  const own = scope === undefined ? "" : fileName(hash, scope);
  const found = (names.includes(own) ? [own] : names).flatMap((name) => readAsked(join(folder, name), hash) ?? []);
  const [first, ...others] = found;
  // Two folders may have the same tool, each from a place of its own.
  return first && others.some(({ place }) => place !== first.place) ? { ...first, place: undefined } : first;
}

function fileName(hash: string, scope: string): string {
  return `${hash}-${createHash("sha256").update(scope).digest("hex").slice(0, 16)}.json`;
}

/** Whether the file is there. It counts as new, so that it stays while it is needed. */
function isThere(file: string): boolean {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return false;
  const now = new Date();
  utimesSync(file, now, now);
  return true;
}

/** Drafts of processes that died are among them. */
function removeOld(folder: string): void {
  const files = filesIn(folder).map((name) => join(folder, name));
  if (files.length <= mostAsked) return;
  const aged = files.map((file) => ({ file, age: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  for (const { file } of aged.toSorted((a, b) => b.age - a.age).slice(mostAsked)) rmSync(file, { force: true });
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined for a file that holds something else than its name says. */
function readAsked(file: string, hash: string): AskedTool | undefined {
  try {
    const { definedBy, name, place, definition } = JSON.parse(readRegularText(file, { most: mostBytes }) ?? "");
    if (typeof definedBy !== "string" || typeof name !== "string") return undefined;
    const tool = { definedBy, name, hash, ...(typeof place === "string" && { place }) };
    if (definition === undefined) return tool;
    if (!isDefinition(definition) || fingerprintOfDefinition(tool, definition) !== hash) return undefined;
    return { ...tool, definition };
  } catch {
    return undefined;
  }
}
