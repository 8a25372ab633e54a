import type { ApprovalDecision, ApprovalPolicy } from "@cogency/tools";
import { UsageError } from "../../base/errors/usage-error.ts";
import { fingerprintOf } from "../definitions/definition.ts";

/**
 * A rule about tools of an MCP server: `github__create_issue` for one of them, `github__*` for all, and `github__create_issue#3f2a…`
 * for one as long as its server, its address or command, and its definition stay the same: the fingerprint stands for all of that.
 */
const form = /^(?<server>[A-Za-z](?:(?!__)[\w-])*)__(?:\*|[\w-]+(?:#(?<fingerprint>[\da-f]+))?)$/;

export function isServerRule(rule: string): boolean {
  return form.test(rule);
}

/** Digits of the fingerprint in a rule that is offered, and the fewest in one that counts. */
const digits = 32;

/** The rule that stands for a tool as it is now. */
export function boundRule(tool: Parameters<ApprovalPolicy>[1]): string {
  return `${tool.name}#${fingerprintOf(tool).slice(0, digits)}`;
}

/** Whether a rule is about a tool of this name, in whichever definition. */
export function namesServerTool(rule: string, name: string): boolean {
  if (!isServerRule(rule)) return false;
  return rule.endsWith("__*") ? name.startsWith(rule.slice(0, -1)) : name === rule.replace(/#.*$/, "");
}

/** Whether a rule is about a server that is none of these. */
export function isOfUnknownServer(rule: string, servers: readonly string[]): boolean {
  const server = form.exec(rule)?.groups?.server;
  return server !== undefined && !servers.includes(server);
}

/**
 * What a rule that allows says about the calls that it names. It is never `allow_anyway`: content of strangers and private content speak
 * against calls to a server as against others.
 *
 * @throws UsageError for a server that is none of these, and for a fingerprint that is too short
 */
export function serverRule(
  rule: string,
  servers: readonly string[] = [],
): (...call: Parameters<ApprovalPolicy>) => ApprovalDecision {
  const { server = "", fingerprint = "" } = form.exec(rule)?.groups ?? {};
  if (!servers.includes(server))
    throw new UsageError(`--allow: there is no tool "${rule}": no MCP server here is named "${server}".`);
  if (rule.includes("#") && fingerprint.length < digits)
    throw new UsageError(`--allow: the fingerprint in "${rule}" has to have ${digits} digits or more.`);
  return (_, tool) => (tool.definedBy !== undefined && fingerprintOf(tool).startsWith(fingerprint) ? "allow" : "ask");
}
