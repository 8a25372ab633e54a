import { oneLine } from "../text/plain-text.ts";

/** The name that a model gets for a tool of a server: `server__tool`. */
export interface ToolNames {
  /** By the server's own names. */
  readonly names: ReadonlyMap<string, string>;
  /** What was changed or left out, a sentence each. */
  readonly problems: readonly string[];
}

/**
 * Names for all tools of one server: `server__tool`, of at most 64 letters, digits, `_` and `-`. They do not depend on the order of the
 * list. Characters that no wire takes become `_`; a name that is too long, or that two tools would get, ends in a hash of the true name.
 *
 * @param tools their own names, each once
 */
export function toolNames(server: string, tools: readonly string[]): ToolNames {
  const plain = new Map(tools.map((tool) => [tool, plainName(server, tool)]));
  const users = new Map<string, number>();
  for (const wanted of plain.values()) users.set(wanted, (users.get(wanted) ?? 0) + 1);
  const names = new Map<string, string>();
  const problems: string[] = [];
  const taken = new Set<string>();
  // Names that need no change come first: no other tool can take theirs away.
  const sorted = [...plain].sort(
    ([a, x], [b, y]) => Number(isSame(server, b, y)) - Number(isSame(server, a, x)) || (a < b ? -1 : 1),
  );
  for (const [tool, wanted] of sorted) {
    const isShared = (users.get(wanted) ?? 0) > 1 && !isSame(server, tool, wanted);
    const name = isShared || wanted.length > longest ? hashed(wanted, tool) : wanted;
    if (taken.has(name)) {
      problems.push(`The tool ${shown(tool)} is left out: another one is named ${name}.`);
      continue;
    }
    taken.add(name);
    names.set(tool, name);
    if (isShared)
      problems.push(`The tool ${shown(tool)} is named ${name}: ${oneLine(wanted, 80)} would be another one's too.`);
  }
  return { names, problems };
}

function plainName(server: string, tool: string): string {
  return `${server}__${tool.replace(/[^A-Za-z0-9_-]/gu, "_")}`;
}

function isSame(server: string, tool: string, wanted: string): boolean {
  return wanted === `${server}__${tool}` && wanted.length <= longest;
}

function hashed(name: string, tool: string): string {
  const end = `_${hashOf(tool)}`;
  return name.slice(0, longest - end.length) + end;
}

function shown(tool: string): string {
  return JSON.stringify(oneLine(tool, 60));
}

const longest = 64;

/** Seven letters and digits. Not against an attacker: two tools that agree in it are told, and one of them is left out. */
function hashOf(text: string): string {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (low >>> 0).toString(36).padStart(7, "0");
}
