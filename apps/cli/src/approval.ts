import { createInterface } from "node:readline";
import type { Approval, ApprovalAnswer, ApprovalRequest } from "@cogency/tools";
import { type AllowRules, allowRules } from "./allow-rules.ts";
import { discardTyped } from "./discard-typed.ts";
import { question } from "./question.ts";
import type { Report } from "./report.ts";
import type { Terminal } from "./terminal.ts";

export interface ApprovalOptions {
  /** Every tool runs without a question. */
  yes?: true;
  /** No question is asked: what would need one is denied. */
  deny?: true;
  /** What runs without a question; see `allowRules`. */
  allow?: readonly string[];
}

/**
 * Which calls run: what the options allow; what the tools themselves need no approval for; and what the person at
 * `terminal` says yes to. Where there is none, the rest is denied. `page` is what else is written there.
 *
 * @throws UsageError if `allow` names what there is not
 */
export function createApproval(
  { yes, deny, allow = [] }: ApprovalOptions,
  terminal: Terminal | undefined,
  page: Pick<Report, "pause" | "resume">,
): Approval {
  const tools = allowRules(allow);
  const policy = yes ? () => "allow" as const : { tools };
  if (deny) return { policy, approve: async (request) => denied(request, "the user has denied what would be asked") };
  if (!terminal) return { policy, approve: async (request) => denied(request, "there is no terminal to ask at") };
  return {
    policy,
    async approve(request) {
      // It was decided that this call asks before "always" was answered to an earlier one.
      if (tools[request.call.name] === "allow" && !request.suspicion) return { approved: true };
      await discardTyped(terminal);
      if (request.signal.aborted) return { approved: false };
      // Ctrl-D has ended it: there will never be an answer.
      if (!terminal.input.readable) return denied(request, "the input has ended, so that nobody can be asked");
      page.pause();
      try {
        return await ask(request, terminal, tools);
      } finally {
        page.resume();
      }
    },
  };
}

function denied({ call, suspicion }: ApprovalRequest, why: string): ApprovalAnswer {
  const reason = suspicion
    ? `its text stands in an earlier result, and ${why}. The user can allow it only by answering at a terminal.`
    : `it needs approval, and ${why}. The user can allow it with --allow ${call.name} or --yes.`;
  return { approved: false, reason };
}

/** Resolves, with a refusal, as soon as the question is no longer open. "Always" is added to `tools`. */
function ask(request: ApprovalRequest, { input, output }: Terminal, tools: AllowRules): Promise<ApprovalAnswer> {
  const { call, suspicion, signal } = request;
  output.write(question(request, output));
  // Not a terminal to readline: the line stays in the hands of the system, where Ctrl-C is a signal like any other time.
  const lines = createInterface({ input, terminal: false });
  return new Promise((resolve) => {
    const answer = (line: string | undefined) => {
      signal.removeEventListener("abort", leave);
      lines.off("close", leave).close();
      if (line === undefined) output.write("\n");
      const isAlways = suspicion === undefined && /^\s*a(lways)?\s*$/i.test(line ?? "");
      if (isAlways) tools[call.name] = "allow";
      const approved = isAlways || /^\s*y(es)?\s*$/i.test(line ?? "");
      resolve(approved ? { approved } : { approved, reason: "the user said no." });
    };
    const leave = () => answer(undefined);
    lines.once("line", answer);
    lines.once("close", leave);
    signal.addEventListener("abort", leave, { once: true });
  });
}
