import { nearestNames } from "@cogency/protocol/options";
import type { Approval, ApprovalDecision, ApprovalRules } from "./approval/approval.ts";
import { checkKeyRing } from "./approval/key-ring.ts";
import { advice, checkChoice, checkList, checkType, refuseUnknownOptions, shown } from "./check-options.ts";
import type { ExecutorOptions } from "./executor-options.ts";
import type { ToolHook } from "./hooks/tool-hook.ts";
import { hints } from "./tool.ts";

/**
 * Refuses unknown and meaningless options.
 *
 * @throws TypeError for an unknown option or one of a wrong type, RangeError for an unknown value or one out of its range
 */
export function checkExecutorOptions(options: ExecutorOptions): void {
  refuseUnknownOptions("createExecutor", options, names);
  checkRegistry(options.registry);
  checkChoice("unknownKeys", options.unknownKeys, ["reject", "strip"]);
  checkChoice("hookChecks", options.hookChecks, ["off", "report", "strict"]);
  for (const flag of ["throwOnToolFailure", "stopOnToolBlock", "earlyStart"] as const) {
    checkType(flag, options[flag], "boolean");
  }
  for (const limit of ["concurrency", "timeout", "maxResultBytes"] as const) checkType(limit, options[limit], "number");
  checkLimits(options);
  if (options.attachments !== undefined)
    refuseUnknownOptions("attachments", options.attachments, ["maxBytes", "kinds"]);
  checkType("observer", options.observer, "function");
  checkList("hooks", options.hooks);
  for (const [index, hook] of (options.hooks ?? []).entries()) checkHook(hook, `hooks[${index}]`);
  if (options.keyRing !== undefined) checkKeyRing(options.keyRing);
  if (options.approval !== undefined) checkApproval(options.approval);
}

const names: readonly (keyof ExecutorOptions)[] = [
  "registry",
  "concurrency",
  "timeout",
  "approval",
  "keyRing",
  "hooks",
  "hookChecks",
  "unknownKeys",
  "maxResultBytes",
  "attachments",
  "throwOnToolFailure",
  "stopOnToolBlock",
  "earlyStart",
  "observer",
];

/** Bytes. A smaller limit has no room for the note that says what is left out. */
const smallestResult = 512;

function checkRegistry(registry: unknown): void {
  const given = typeof registry === "object" && registry !== null ? (registry as Partial<Record<string, unknown>>) : {};
  if (["has", "get", "names", "specs"].every((method) => typeof given[method] === "function")) return;
  throw new TypeError(`registry is ${shown(registry)}; give what createRegistry makes.`);
}

function checkLimits({ concurrency = 1, timeout = 1, maxResultBytes = smallestResult }: ExecutorOptions): void {
  if (!(concurrency >= 1) || (concurrency % 1 !== 0 && concurrency !== Number.POSITIVE_INFINITY)) {
    throw new RangeError(`concurrency is ${concurrency}; give a whole number of at least 1.`);
  }
  if (!(timeout > 0)) throw new RangeError(`timeout is ${timeout}; give milliseconds above zero.`);
  if (!(maxResultBytes >= smallestResult)) {
    throw new RangeError(`maxResultBytes is ${maxResultBytes}; give a number of at least ${smallestResult}.`);
  }
}

/** Refuses a method that looks like a misspelt trigger. A hook may have other fields of its own. */
function checkHook(hook: unknown, path: string): void {
  if (typeof hook !== "object" || hook === null) throw new TypeError(`${path} is ${shown(hook)}; give a hook.`);
  const { name, priority, beforeToolUse, afterToolUse } = hook as { readonly [part in keyof ToolHook]?: unknown };
  if (name === undefined) throw new TypeError(`${path} has no name; give one: messages name the hook by it.`);
  checkType(`${path}.name`, name, "string");
  checkType(`${path}.priority`, priority, "number");
  checkType(`${path}.beforeToolUse`, beforeToolUse, "function");
  checkType(`${path}.afterToolUse`, afterToolUse, "function");
  const triggers = ["beforeToolUse", "afterToolUse"];
  for (const [field, value] of Object.entries(hook)) {
    if (typeof value !== "function" || triggers.includes(field) || nearestNames(field, triggers).length === 0) continue;
    throw new TypeError(`${path} has no trigger \`${field}\`; ${advice(field, triggers)}`);
  }
}

function checkApproval(approval: Approval): void {
  refuseUnknownOptions("approval", approval, ["policy", "approve", "timeout", "content"]);
  const { policy, approve, timeout, content } = approval;
  checkType("approval.approve", approve, "function");
  checkType("approval.timeout", timeout, "number");
  if (timeout !== undefined && !(timeout > 0)) {
    throw new RangeError(`approval.timeout is ${timeout}; give milliseconds above zero.`);
  }
  checkChoice("approval.content", content, ["ask", "allow"]);
  if (policy !== undefined && typeof policy !== "function") checkRules(policy);
}

function checkRules(rules: ApprovalRules): void {
  refuseUnknownOptions("approval.policy", rules, ["tools", "annotations", "otherwise"]);
  const { tools = {}, annotations = {}, otherwise } = rules;
  if (typeof tools !== "object" || tools === null) {
    throw new TypeError(`approval.policy.tools is ${shown(tools)}; give decisions by the names of tools.`);
  }
  for (const [name, rule] of Object.entries(tools)) {
    if (typeof rule !== "function") checkChoice(`approval.policy.tools.${name}`, rule, decisions);
  }
  refuseUnknownOptions("approval.policy.annotations", annotations, hints);
  for (const hint of hints) checkChoice(`approval.policy.annotations.${hint}`, annotations[hint], decisions);
  checkChoice("approval.policy.otherwise", otherwise, decisions);
}

const decisions: readonly ApprovalDecision[] = ["allow", "allow_anyway", "ask", "deny"];
