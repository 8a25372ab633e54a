import { resolve } from "node:path";
import type { CallDescription } from "@cogency/acp";
import type { JsonObject } from "@cogency/protocol";
import { isObject } from "../../base/is-object.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { type ToolName, toolNames } from "../../base/tool-names.ts";
import { callText } from "../../person/turn/call-text.ts";

const kinds: Readonly<Record<ToolName | "present_plan", CallDescription["kind"]>> = {
  read: "read",
  write: "edit",
  edit: "edit",
  replace: "edit",
  list: "search",
  find: "search",
  shell: "execute",
  shell_output: "execute",
  shell_stop: "execute",
  scrape: "fetch",
  search: "fetch",
  recall: "search",
  read_result: "read",
  skill: "read",
  plan: "think",
  present_plan: "think",
  agent: "other",
  agent_result: "other",
};

/** Arguments of the app's own tools that hold a path. */
const pathNames = ["file", "path"] as const;

/**
 * What an editor shows of a call of the app's own tools; undefined for others.
 *
 * @param base the folder that paths begin in
 */
export function describedCall(name: string, args: unknown, base: string): Partial<CallDescription> | undefined {
  if (!isOwn(name) || !isObject(args)) return undefined;
  const given = args as JsonObject;
  const subject = callText({ args: given }, 120);
  const title = oneLine(subject === "" ? name : `${name} ${subject}`, 140);
  const paths = pathNames.flatMap((field) => (typeof given[field] === "string" ? [resolve(base, given[field])] : []));
  const line = typeof given.from === "number" ? { line: given.from } : {};
  return { title, kind: kinds[name], locations: paths.map((path) => ({ path, ...line })) };
}

function isOwn(name: string): name is keyof typeof kinds {
  return name === "present_plan" || toolNames.some((one) => one === name);
}
