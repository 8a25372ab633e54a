import { resolve } from "node:path";
import { http, type McpServerOptions } from "@cogency/mcp";
import { program } from "@cogency/mcp/node";
import { inPlainWords } from "../../base/errors/in-plain-words.ts";
import { keepSecret } from "../../base/errors/redacted.ts";
import { readApiKeys } from "../../place/api-keys.ts";
import type { PlacedServer } from "../../place/mcp/find-servers.ts";
import { serverFiles } from "../../place/mcp/reviewed-servers.ts";
import {
  type AddressEntry,
  hasOwnLogin,
  isProgram,
  type ProgramEntry,
  type ServerEntry,
} from "../../place/mcp/server-entry.ts";
import { withVariables } from "../../place/mcp/variables.ts";
import { loginFor } from "./login.ts";
import { sandboxedCommand } from "./sandboxed-command.ts";

/** What servers of a run work with. */
export interface ServerChoice {
  readonly root: string;
  readonly sandbox?: "auto" | "required" | "off" | undefined;
}

/** What a client is made with for a server, or a sentence why it cannot be used. */
export type MadeServer = { readonly options: McpServerOptions } | { readonly reason: string };

/**
 * Makes the options of a client for a server: with the values of the variables that it names, which are secret from now on. They come from
 * the environment, else from the keys that `cogency config key` keeps.
 */
export async function serverOptions(server: PlacedServer, choice: ServerChoice): Promise<MadeServer> {
  const { entry, missing } = await withValues(server.entry);
  if (missing.length > 0) return { reason: missingText(missing) };
  const { timeout, connectTimeout, tools, without, approval, readOnly } = entry;
  const call = timeout === undefined ? undefined : timeout * 1000;
  const connect = connectTimeout === undefined ? undefined : connectTimeout * 1000;
  try {
    const connector = isProgram(entry) ? programFor(entry, server, choice) : addressFor(entry);
    return { options: { connector, tools, without, approval, readOnly, timeouts: { call, connect } } };
  } catch (error) {
    // What stands in a file may be an address that no client takes.
    if (error instanceof TypeError || error instanceof RangeError) return { reason: inPlainWords(error.message) };
    throw error;
  }
}

async function withValues<Entry extends ServerEntry>(
  given: Entry,
): Promise<{ readonly entry: Entry; readonly missing: readonly string[] }> {
  const keys = await readApiKeys();
  const { entry, missing } = withVariables(given, (name) => process.env[name] || keys[name]);
  keepSecret(secretsOf(entry));
  return { entry, missing };
}

/** The address that a person logs in to, or a sentence why there is none. */
export async function loginAddress({
  entry: given,
}: PlacedServer): Promise<{ readonly url: string } | { readonly reason: string }> {
  if (isProgram(given)) return { reason: "it is a program on this machine." };
  const { entry, missing } = await withValues(given);
  if (missing.length > 0) return { reason: missingText(missing) };
  if (hasOwnLogin(entry.headers)) return { reason: "its header Authorization says who you are." };
  return { url: entry.url };
}

function programFor(entry: ProgramEntry, server: PlacedServer, { root }: ServerChoice): McpServerOptions["connector"] {
  const folder = resolve(server.folder ?? root);
  const { command, args = [], env, cwd = "." } = entry;
  return program({
    command,
    args,
    env,
    cwd: resolve(folder, cwd),
    wrap: async (started) => {
      await checkFiles(server);
      return entry.sandbox === true ? sandboxedCommand(started) : started;
    },
  });
}

/** @throws TypeError or RangeError for an address that no client takes */
function addressFor({ url, headers }: AddressEntry): McpServerOptions["connector"] {
  // It says better than a login what is wrong with the address.
  const plain = http({ url, headers });
  return hasOwnLogin(headers) ? plain : http({ url, headers, auth: loginFor(url) });
}

/** What a project brings may have been changed since a person looked at it. @throws Error that says which file was */
async function checkFiles({ entry, folder, files }: PlacedServer): Promise<void> {
  if (folder === undefined || files.size === 0) return;
  const now = await serverFiles({ entry, folder });
  const changed = [...files].find(([file, state]) => now.get(file) !== state);
  if (changed) throw new Error(`It is not started: ${changed[0]} was changed since you looked at this folder.`);
}

/** Values of variables and headers. What stands in a command line is no secret on this machine. */
function secretsOf(entry: ServerEntry): string[] {
  const texts = Object.values((isProgram(entry) ? entry.env : entry.headers) ?? {});
  return texts.flatMap((text) => [text, ...text.split(/\s+/)]).filter((text) => text.length >= leastSecret);
}

/** Characters. Shorter values occur in ordinary words. */
const leastSecret = 8;

function missingText(names: readonly string[]): string {
  const [first = ""] = names;
  const all = names.length === 1 ? `The variable ${first} is` : `The variables ${names.join(", ")} are`;
  return `${all} not set. Set it, or keep a value: cogency config key set ${first}`;
}
