import { createInterface } from "node:readline";
import { styleText } from "node:util";
import type { Approval, ApprovalRequest } from "@cogency/tools";
import type { Report } from "./report.ts";
import { excerpt, oneLine } from "./text.ts";

/** A terminal, or what stands in for one. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream & { columns?: number };
}

/**
 * Tools that only read run; the others are put to the person at `terminal`, and denied where there is none. `page` is
 * what else is written there.
 */
export function createApproval(terminal: Terminal | undefined, page: Pick<Report, "pause" | "resume">): Approval {
  if (terminal) {
    return {
      async approve(request) {
        page.pause();
        try {
          return await ask(request, terminal);
        } finally {
          page.resume();
        }
      },
    };
  }
  const reason = "it changes things, and there is no terminal to ask at. The user can allow it with --yes.";
  return { approve: async () => ({ approved: false, reason }) };
}

/** Resolves, with a refusal, as soon as the question is no longer open. */
function ask({ call, signal }: ApprovalRequest, terminal: Terminal): Promise<{ approved: boolean; reason?: string }> {
  const { input, output } = terminal;
  output.write(question(call, output));
  // Not a terminal to readline: the line stays in the hands of the system, where Ctrl-C is a signal like any other time.
  const lines = createInterface({ input, terminal: false });
  return new Promise((resolve) => {
    const answer = (line: string | undefined) => {
      signal.removeEventListener("abort", leave);
      lines.off("close", leave).close();
      if (line === undefined) output.write("\n");
      const approved = /^\s*y(es)?\s*$/i.test(line ?? "");
      resolve(approved ? { approved } : { approved, reason: "the user said no." });
    };
    const leave = () => answer(undefined);
    lines.once("line", answer);
    lines.once("close", leave);
    signal.addEventListener("abort", leave, { once: true });
  });
}

const excerptLines = 12;

function question({ name, args }: ApprovalRequest["call"], output: Terminal["output"]): string {
  const stream = output as NodeJS.WriteStream;
  const width = output.columns ?? 100;
  const label = Math.max(0, ...Object.keys(args).map((key) => Math.min(20, key.length)));
  const lines = Object.entries(args).flatMap(([key, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return excerpt(text, excerptLines, Math.max(20, width - label - 6)).map((line, index) => {
      const name = index === 0 ? oneLine(key, 20) : "";
      return `  ${styleText("dim", name.padEnd(label), { stream })}  ${line}\n`;
    });
  });
  const verb = `${styleText("bold", oneLine(name, 64), { stream })} wants to run with\n`;
  return `${verb}${lines.join("")}Allow it? [y/N] `;
}
