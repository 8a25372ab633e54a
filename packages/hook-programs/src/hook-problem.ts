import { nearestNames } from "@cogency/protocol/options";
import { type HookProgram, hookPoints, rulesOf } from "./hook-program.ts";

/**
 * Says what is wrong with a hook that a file describes, and what to write instead; undefined if nothing is.
 *
 * @param path how the file calls it, such as `hooks[0]`
 */
export function hookProblem(value: unknown, path = "the hook"): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return `${path} has to be an object, such as {"at": "beforeToolUse", "tools": ["shell"], "command": "node check.js"}.`;
  const hook = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(hook).find((key) => !Object.hasOwn(checks, key));
  if (unknown !== undefined) {
    const [nearest] = nearestNames(unknown, Object.keys(checks));
    const advice =
      nearest === undefined ? `There are ${Object.keys(checks).join(", ")}.` : `Did you mean ${path}.${nearest}?`;
    return `There is no key ${path}.${unknown}. ${advice}`;
  }
  for (const [key, check] of Object.entries(checks)) {
    const wanted = check(hook[key]);
    if (wanted !== undefined) return `${path}.${key} has to be ${wanted}.`;
  }
  const { at, tools } = hook as unknown as HookProgram;
  if (tools !== undefined && !rulesOf(at).isAboutCalls)
    return `${path}.tools says nothing at ${at}, which is not about a call. Leave it out.`;
  return undefined;
}

/** What each field has to be, if it is not. */
const checks: {
  readonly [Field in Exclude<keyof HookProgram, "files" | "root">]: (value: unknown) => string | undefined;
} = {
  name: (value) => (value === undefined || isName(value) ? undefined : "a line of at most 60 characters"),
  at: (value) =>
    hookPoints.includes(value as never)
      ? undefined
      : `one of ${hookPoints.map((point) => `"${point}"`).join(", ")}${meant(value)}`,
  command: (value) =>
    isText(value) && value.length <= 4096 && !value.includes("\0")
      ? undefined
      : 'a command line, such as "node check.js"',
  tools: (value) =>
    value === undefined || (Array.isArray(value) && value.length > 0 && value.every(isText))
      ? undefined
      : 'a list of names of tools, such as ["shell", "write"]; leave it out for all',
  timeout: (value) =>
    value === undefined || (typeof value === "number" && value > 0 && value <= longestTimeout)
      ? undefined
      : `a number of seconds above 0 and up to ${longestTimeout}`,
  sandbox: (value) => (value === undefined || typeof value === "boolean" ? undefined : "true or false"),
  holds: (value) =>
    value === undefined || (Array.isArray(value) && value.every((one) => one === "untrusted" || one === "private"))
      ? undefined
      : 'a list of "untrusted" and "private"',
};

/** Seconds. A hook of an agent may take two minutes by default. */
const longestTimeout = 100;

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";
const isName = (value: unknown) => isText(value) && value.length <= 60 && !/\p{Cc}/u.test(value);

/** The point that other agents call by this name. */
function meant(value: unknown): string {
  const [near] = typeof value === "string" ? nearestNames(value, hookPoints) : [];
  const point = near ?? (typeof value === "string" ? elsewhere[value] : undefined);
  return point === undefined ? "" : `. Did you mean "${point}"?`.slice(0, -1);
}

const elsewhere: Readonly<Record<string, string>> = {
  PreToolUse: "beforeToolUse",
  PostToolUse: "afterToolUse",
  UserPromptSubmit: "beforePrompt",
  SessionStart: "beforeRun",
  SessionEnd: "afterRun",
  PermissionRequest: "onQuestion",
  Notification: "onQuestion",
  Stop: "onStop",
};
