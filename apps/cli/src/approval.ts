import { createInterface } from "node:readline";
import { setImmediate, setTimeout } from "node:timers/promises";
import { styleText } from "node:util";
import type { Approval, ApprovalAnswer, ApprovalRequest } from "@cogency/tools";
import type { Report } from "./report.ts";
import { excerpt, oneLine } from "./text.ts";

/** A terminal, or what stands in for one. */
export interface Terminal {
  input: NodeJS.ReadableStream & { setRawMode?(isRaw: boolean): unknown };
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
        await discardTyped(terminal);
        if (request.signal.aborted) return { approved: false };
        // Ctrl-D has ended it: there will never be an answer.
        if (!terminal.input.readable) return denied("it changes things, and the input has ended");
        page.pause();
        try {
          return await ask(request, terminal);
        } finally {
          page.resume();
        }
      },
    };
  }
  return { approve: async () => denied("it changes things, and there is no terminal to ask at") };
}

function denied(why: string): ApprovalAnswer {
  return { approved: false, reason: `${why}. The user can allow it with --yes.` };
}

/** Milliseconds within which the system hands over what waits at a terminal. */
const handover = 50;

/**
 * What was typed before a question can be seen is no answer to it. Raw mode, because there an unfinished line is handed
 * over, too; and Ctrl-C, which the system does not act on then.
 */
async function discardTyped({ input }: Terminal): Promise<void> {
  if (!input.readable) return;
  const discard = (typed: Buffer | string) => {
    if (typed.includes("\u0003")) process.kill(process.pid, "SIGINT");
  };
  input.setRawMode?.(true);
  input.on("data", discard).resume();
  await setTimeout(handover);
  // On a busy machine the time can be over before the input was looked at even once; this comes after it.
  await setImmediate();
  input.off("data", discard).pause();
  input.setRawMode?.(false);
}

/** Resolves, with a refusal, as soon as the question is no longer open. */
function ask({ call, signal }: ApprovalRequest, terminal: Terminal): Promise<ApprovalAnswer> {
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
