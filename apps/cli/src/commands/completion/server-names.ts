import { definitionFile, readDefinitions } from "../../place/definitions/definition-file.ts";
import { hasOwnLogin, isProgram, type ServerEntry } from "../../place/mcp/server-entry.ts";
import { serversIn } from "../mcp/server-files.ts";
import { serversHere } from "../mcp/with-servers.ts";
import type { Candidate } from "./candidates.ts";

/**
 * The servers that a command of `cogency mcp` takes here: for `remove` those of the file that it changes, for `login` and `logout` those
 * that take a login, else all that count. Nothing is started or reached.
 *
 * @param isShared whether `--project` is given
 */
export async function serverNames(command: string, isShared: boolean): Promise<Candidate[]> {
  if (command === "remove") return Object.entries(serversIn(isShared ? { project: true } : {})).map(candidate);
  const { found } = await serversHere({ root: "." });
  const entries = found.servers.map(({ name, entry }): [string, ServerEntry] => [name, entry]);
  const takesLogin = command === "login" || command === "logout";
  return entries.filter(([, entry]) => !takesLogin || !(isProgram(entry) || hasOwnLogin(entry.headers))).map(candidate);
}

/**
 * The tools of a server that are known here without starting it: those that its configuration names, and those of which the person has
 * let a call run.
 */
export async function knownServerTools(server: string): Promise<Candidate[]> {
  const { found } = await serversHere({ root: "." });
  const entry = found.servers.find(({ name }) => name === server)?.entry;
  if (entry === undefined) return [];
  const { tools = [], readOnly = [], approval = {} } = entry;
  const named = [...tools, ...readOnly, ...Object.keys(approval)].filter((name) => !name.includes("*"));
  const prefix = `${server}__`;
  const used = readDefinitions(definitionFile()).filter(({ name }) => name.startsWith(prefix));
  const names = new Set([...named, ...used.map(({ name }) => name.slice(prefix.length))]);
  return Array.from(names, (text) => ({ text, help: "" }));
}

function candidate([text, entry]: [string, ServerEntry]): Candidate {
  return { text, help: isProgram(entry) ? [entry.command, ...(entry.args ?? [])].join(" ") : entry.url };
}
