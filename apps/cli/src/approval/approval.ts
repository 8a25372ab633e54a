import type { Approval, ApprovalAnswer, ApprovalPolicy, ApprovalRequest } from "@cogency/tools";
import type { RunDisplay } from "../show/run-display.ts";
import { note } from "../terminal/note.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type AllowRules, allowRules, allowTool, type RuleSurroundings } from "./allow-rules.ts";
import { askInPages, usualColumns } from "./ask-in-pages.ts";
import { exact } from "./exact-text.ts";
import { questionRows } from "./question.ts";
import { ruleFor } from "./rule-for.ts";

export interface ApprovalOptions {
  /** Runs every tool without a question, unless something speaks against a call. */
  yes?: true;
  /** Asks nothing, and denies every call that would need a question. */
  deny?: true;
  /** Without a terminal, leaves calls that ask open, instead of denying them. */
  wait?: true;
  /** Rules for calls that run without a question; see `allowRules`. */
  allow?: readonly string[];
  /** Whether private or untrusted content in the conversation makes calls ask. Defaults to `"ask"`. */
  content?: "ask" | "allow";
}

/**
 * Decides which calls run: those that the options allow, those that need no approval, and those that the person at
 * `terminal` agrees to. Without a terminal, all others are denied, or wait for an answer with `wait`. `page` is the other output there, which pauses meanwhile.
 *
 * @throws UsageError for an invalid rule in `allow`
 */
export function createApproval(
  { yes, deny, wait, allow = [], content = "ask" }: ApprovalOptions,
  surroundings: RuleSurroundings,
  terminal: Terminal | undefined,
  page: Pick<RunDisplay, "pause" | "resume">,
): Approval {
  const tools = allowRules(allow, surroundings);
  const policy = yes ? allowAll(tools) : { tools };
  const deniedAs = (why: string): Approval => ({
    policy,
    content,
    approve: async (request) => denied(request, why, surroundings),
  });
  if (deny) return deniedAs("the user has denied what would be asked");
  if (!terminal) return wait ? { policy, content } : deniedAs("there is no terminal to ask at");
  return {
    policy,
    content,
    async approve(request) {
      const { concerns, signal } = request;
      // This call was to ask, but meanwhile an earlier one was answered with "always".
      if (concerns.length === 0 && isAllowed(request, tools)) return { approved: true };
      if (signal.aborted) return { approved: false };
      // Ctrl-D has ended the input, so no answer will come.
      if (!terminal.input.readable) {
        return denied(request, "the input has ended, so no person can be asked", surroundings);
      }
      page.pause();
      try {
        return await ask(request, terminal, tools);
      } finally {
        page.resume();
      }
    },
  };
}

function isAllowed({ call, tool }: ApprovalRequest, rules: AllowRules): boolean {
  const own = Object.hasOwn(rules, call.name) ? rules[call.name] : undefined;
  return (typeof own === "function" ? own(call, tool) : own) !== "ask" && own !== undefined;
}

/** Allows all calls. A rule that names a call still allows it anyway. */
function allowAll(rules: AllowRules): ApprovalPolicy {
  return (call, tool) => {
    const own = Object.hasOwn(rules, call.name) ? rules[call.name] : undefined;
    return typeof own === "function" && own(call, tool) === "allow_anyway" ? "allow_anyway" : "allow";
  };
}

/**
 * Denies a call. The model reads the reason, and the caution of a tool may quote files that the model has not read. So the
 * reason never mentions a caution; the person reads it on stderr.
 */
function denied(request: ApprovalRequest, why: string, surroundings: RuleSurroundings): ApprovalAnswer {
  const { call, concerns } = request;
  const cautions = concerns.filter(({ kind }) => kind === "caution");
  for (const caution of cautions) note(`${exact(call.name)} needs approval: ${exact(caution.why)}`);
  const known = concerns.filter(({ kind }) => kind !== "caution").map((concern) => concern.why);
  const rule = ruleFor(request, surroundings);
  if (known.length === 0) {
    const careful = rule.naming === undefined ? "by answering" : `with ${rule.naming}, or by answering`;
    const means =
      rule.plain === rule.naming
        ? `with ${rule.plain} or --yes`
        : `with ${rule.plain} or --yes; where something speaks against this very call, ${careful} at a terminal`;
    return { approved: false, reason: `it needs approval, and ${why}. The user can allow it ${means}.` };
  }
  const isEcho = concerns.some(({ kind }) => kind === "echo");
  const means = isEcho || rule.naming === undefined ? "only by answering" : `with ${rule.naming}, or by answering`;
  return {
    approved: false,
    reason: `${known.join(" ")} So it needs approval, and ${why}. The user can allow it ${means} at a terminal.`,
  };
}

/** Asks the person at the terminal. The answer "always" adds the tool to `tools`. */
async function ask(request: ApprovalRequest, terminal: Terminal, tools: AllowRules): Promise<ApprovalAnswer> {
  const { call, concerns, signal } = request;
  const stream = terminal.output as NodeJS.WriteStream;
  const rows = questionRows(request, stream.columns || usualColumns, stream);
  const canBeAlways = concerns.length === 0;
  const choice = canBeAlways ? `y/N, a = always allow ${exact(call.name)} in this run` : "y/N";
  const line = (await askInPages(rows, `Allow it? [${choice}] `, terminal, signal)) ?? "";
  const isAlways = canBeAlways && /^\s*a(lways)?\s*$/i.test(line);
  if (isAlways) allowTool(tools, call.name);
  const approved = isAlways || /^\s*y(es)?\s*$/i.test(line);
  return approved ? { approved } : { approved, reason: "the user said no." };
}
