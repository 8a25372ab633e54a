import { join } from "node:path";
import { configurationFolder } from "../../base/configuration-folder.ts";
import { UsageError } from "../../base/errors/usage-error.ts";
import { parseJson } from "../../base/files/parse-json.ts";
import { readRegularText } from "../../base/files/read-regular-file.ts";
import { replaceFile, withLock } from "../../base/files/with-lock.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { type Definition, isDefinition } from "./definition.ts";

/** A definition as it was when the person first let a call of it run. */
export interface KnownDefinition {
  /** The server, as in `Tool.definedBy`. */
  readonly definedBy: string;
  readonly name: string;
  /** The fingerprint. */
  readonly hash: string;
  /** The day, such as `2026-11-29`. */
  readonly since: string;
  /** Absent for one that is too long to keep, and for old ones where there are many. */
  readonly definition?: Definition | undefined;
}

/** Tools of all servers together. */
export const mostKnown = 5000;

/** Characters of JSON: of one definition that is kept in full, and of all of them. */
export const mostCharacters = 65_536;
const mostCharactersOfAll = 4 * 1_048_576;

/** Bytes of the file. */
const mostBytes = 32 * 1_048_576;

export function definitionFile(): string {
  return join(configurationFolder(), "mcp-definitions.json");
}

/** The oldest first. @throws UsageError with the file and what is wrong in it */
export function readDefinitions(file: string): KnownDefinition[] {
  const text = readRegularText(file, { most: mostBytes });
  if (text === undefined) return [];
  const content = parseJson(file, text) as { definitions?: unknown } | null;
  const list = typeof content === "object" ? content?.definitions : undefined;
  if (Array.isArray(list) && list.every(isKnown)) return list;
  throw new UsageError(`${oneLine(file, 300)}: it holds no list of known definitions.`);
}

function isKnown(value: unknown): value is KnownDefinition {
  if (typeof value !== "object" || value === null) return false;
  const { definedBy, name, hash, since, definition } = value as Record<string, unknown>;
  return (
    [definedBy, name, hash, since].every((one) => typeof one === "string") &&
    (definition === undefined || isDefinition(definition))
  );
}

/**
 * Puts a definition in the place of the one that was known, or at the end. Another process may add one at the same time.
 *
 * @throws UsageError for a file that holds something else, or is full
 */
export async function keepDefinition(file: string, added: KnownDefinition): Promise<void> {
  await withLock(file, async () => {
    const others = readDefinitions(file).filter((one) => !isSameTool(one, added));
    if (others.length >= mostKnown) throw new UsageError(`${oneLine(file, 300)} is full. Remove it.`);
    const list = bounded([...others, added]);
    await replaceFile(file, `${JSON.stringify({ definitions: list }, undefined, 1)}\n`, 0o600);
  });
}

export function isSameTool(one: KnownDefinition, other: Pick<KnownDefinition, "definedBy" | "name">): boolean {
  return one.definedBy === other.definedBy && one.name === other.name;
}

/** Leaves out texts that are too long, and the oldest where they are too many. Fingerprints stay: without one, a change would be none. */
function bounded(list: readonly KnownDefinition[]): KnownDefinition[] {
  let left = mostCharactersOfAll;
  return list
    .toReversed()
    .map(({ definition, ...known }) => {
      const length = JSON.stringify(definition ?? null).length;
      if (length > mostCharacters || length > left) return known;
      left -= length;
      return { ...known, ...(definition && { definition }) };
    })
    .toReversed();
}
