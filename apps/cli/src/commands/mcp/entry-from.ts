import { existsSync } from "node:fs";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { ServerEntry } from "../../place/mcp/server-entry.ts";

/** What is given beside the target. */
export interface EntryOptions {
  readonly env?: readonly string[];
  readonly header?: readonly string[];
}

/**
 * The entry of a server as it is typed.
 *
 * @param target its address, or its command and the arguments
 * @throws UsageError for options that do not fit the target
 */
export function entryFrom(target: readonly string[], { env = [], header = [] }: EntryOptions): ServerEntry {
  const [first = "", ...rest] = target;
  if (/^https?:\/\//i.test(first)) {
    if (rest.length > 0)
      throw new UsageError(`An address takes no arguments, and there is "${oneLine(rest.join(" "), 100)}" after it.`);
    if (env.length > 0) throw new UsageError("--env is for a program. A server with an address takes --header.");
    return {
      url: first,
      ...(header.length > 0 && { headers: pairs("--header", header, ":", `Authorization: Bearer \${TOKEN}`) }),
    };
  }
  if (rest.length === 0 && isHost(first))
    throw new UsageError(`"${oneLine(first, 200)}" is no program. An address begins with https://`);
  if (header.length > 0) throw new UsageError("--header is for a server with an address. A program takes --env.");
  return {
    command: first,
    ...(rest.length > 0 && { args: rest }),
    ...(env.length > 0 && { env: pairs("--env", env, "=", `TOKEN=\${TOKEN}`) }),
  };
}

function pairs(option: string, texts: readonly string[], separator: string, example: string): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf(separator);
      const name = text.slice(0, at).trim();
      if (at < 1 || !/^[\w-]+$/.test(name)) throw new UsageError(`${option} has to be like '${example}'.`);
      return [name, text.slice(at + 1).trim()];
    }),
  );
}

/** `mcp.example.com/mcp`, `localhost:3000/mcp`: an address without its beginning. A path of a file may look like it, too. */
function isHost(text: string): boolean {
  return /^([\w-]+\.)*[\w-]+(:\d+|\.[a-z]{2,}\/)/i.test(text) && !existsSync(text);
}
