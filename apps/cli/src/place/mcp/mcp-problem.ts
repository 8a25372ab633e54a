import { nearestNames } from "@cogency/protocol/options";
import { isObject } from "../../base/is-object.ts";

/** Says what is wrong with the key `mcp` of a configuration, and what to write instead; undefined if nothing is. */
export function mcpProblem(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) return `mcp has to be an object, such as {"servers": ${example}}.`;
  const { servers, findAbove, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return unknownField("mcp", unknown, ["servers", "findAbove"]);
  if (findAbove !== undefined && !isWhole(findAbove)) return "mcp.findAbove has to be a whole number from 0 up.";
  if (servers === undefined) return undefined;
  if (!isObject(servers)) return `mcp.servers has to be an object, such as ${example}.`;
  const names = Object.keys(servers);
  if (names.length > mostServers)
    return `mcp.servers has ${names.length} servers, and at most ${mostServers} are allowed.`;
  return names.map((name) => serverProblem(name, servers[name], `mcp.servers.${name}`)).find(Boolean);
}

const example = '{"docs": {"command": "npx", "args": ["-y", "docs-server"]}}';

/** In one file. */
export const mostServers = 50;

/** Says what is wrong with one server. @param path how messages call it */
export function serverProblem(name: string, entry: unknown, path: string): string | undefined {
  if (!isServerName(name))
    return `${path}: a server's name is a letter, then letters, digits, - and _, at most 30, without two _ in a row. Rename it.`;
  if (!isObject(entry)) return `${path} has to be an object with a command or a url.`;
  const isProgram = entry.command !== undefined;
  const names = Object.keys({ ...ofPrograms, ...ofAddresses, ...ofBoth });
  const mistyped = Object.keys(entry).find((field) => !names.includes(field));
  if (!isProgram && entry.url === undefined && mistyped !== undefined) return unknownField(path, mistyped, names);
  if (isProgram === (entry.url !== undefined)) return `${path} has to have either a command, for a program, or a url.`;
  const checks = { ...(isProgram ? ofPrograms : ofAddresses), ...ofBoth };
  for (const [field, value] of Object.entries(entry)) {
    const check = checks[field];
    if (check === undefined) return unknownField(path, field, Object.keys(checks));
    const wanted = check(value);
    if (wanted !== undefined) return `${path}.${field} has to be ${wanted}.`;
  }
  return undefined;
}

/** A name that names of tools and of prompts can begin with: `docs__search`, `/docs:review`. */
export function isServerName(name: string): boolean {
  return /^[a-z][a-z0-9_-]{0,29}$/i.test(name) && !name.includes("__") && !name.endsWith("_");
}

/** What a field has to be, if its value is something else. */
type Check = (value: unknown) => string | undefined;

const unless =
  (isRight: (value: unknown) => boolean, wanted: string): Check =>
  (value) =>
    isRight(value) ? undefined : wanted;

const list = unless((value) => Array.isArray(value) && value.every(isWord), 'a list of names, such as ["search_*"]');
const seconds = unless(
  (value) => typeof value === "number" && value > 0 && value <= 86_400,
  "a number of seconds above 0 and up to 86400",
);
const texts = unless(
  (value) => isObject(value) && Object.values(value).every(isText),
  `an object of texts, such as {"TOKEN": "\${TOKEN}"}`,
);

const ofBoth: Readonly<Record<string, Check>> = {
  timeout: seconds,
  connectTimeout: seconds,
  tools: list,
  without: list,
  approval: unless(
    (value) => isObject(value) && Object.values(value).every((one) => ["allow", "ask", "deny"].includes(one as string)),
    'an object from tools to "allow", "ask" or "deny", such as {"search": "allow", "*": "ask"}',
  ),
  readOnly: list,
  disabled: unless((value) => typeof value === "boolean", "true or false"),
};

const ofPrograms: Readonly<Record<string, Check>> = {
  command: unless(isWord, 'the name or the path of a program, such as "npx"; its arguments stand in args'),
  args: unless(
    (value) => Array.isArray(value) && value.every(isText),
    'a list of texts, such as ["-y", "docs-server"]',
  ),
  env: texts,
  cwd: unless(isWord, "the path of a folder"),
  sandbox: unless((value) => typeof value === "boolean", "true or false"),
};

const ofAddresses: Readonly<Record<string, Check>> = {
  url: unless(
    (value) => isWord(value) && /^(https?:\/\/|\$\{)/i.test(value as string),
    'an address, such as "https://mcp.example.com/mcp"',
  ),
  headers: texts,
};

function isText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0");
}

function isWord(value: unknown): value is string {
  return isText(value) && value.trim() !== "";
}

function isWhole(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

function unknownField(path: string, field: string, names: readonly string[]): string {
  const [nearest] = nearestNames(field, names);
  const advice = nearest === undefined ? `There are ${names.join(", ")}.` : `Did you mean ${path}.${nearest}?`;
  return `there is no key ${path}.${field}. ${advice}`;
}
