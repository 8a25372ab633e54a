import { type Content, defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import { lazyInput } from "../../lazy-input.ts";
import { checkOptionsOf } from "../../options.ts";
import parameters from "../../parameters.json" with { type: "json" };
import type { Job } from "./job.ts";
import { boardOf } from "./job-board.ts";
import { contentOf, type JobResult, lookAt } from "./job-result.ts";
import type { JobToolOptions } from "./jobs.ts";
import { lineTest } from "./lines.ts";

/**
 * `shell_output`: what a command in the background has printed since the last look, at once or when a line was printed.
 *
 * It needs no approval: it reads what `shell` was allowed to start.
 */
export function shellOutputTool(options: JobToolOptions): Tool<"shell_output"> {
  checkOptionsOf("shellOutputTool", options);
  const board = boardOf(options.jobs);
  const seen = new WeakMap<object, Job>();
  return defineTool({
    name: "shell_output",
    description:
      "What a command in the background has printed since the last look, whether it still runs, and how it ended. " +
      "With wait it looks when a new line matches until, or without until when the command has ended; at the latest after those seconds.",
    input: shellOutputInput,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    approval: "allow",
    timeout: (longestWait + grace) * 1000,
    brings: (args): Content[] => contentOf(args.job, seen.get(args)),
    async execute(args, context): Promise<JobResult> {
      const { job: id, wait = 0, until, regex = false } = args;
      const job = board.job(context, id, context.state.events);
      seen.set(args, job);
      const test = until === undefined ? undefined : lineTest(until, regex);
      if (wait === 0 && test === undefined) return lookAt(job);
      const matched = await job.lineWith(test, wait * 1000, context.signal);
      const isMissing = test !== undefined && matched === undefined;
      const { job: named, ...rest } = lookAt(job, isMissing ? noLine : undefined);
      return { job: named, ...(matched !== undefined && { matched }), ...rest };
    },
  });
}

/** Seconds that a look may wait. */
const longestWait = 600;
/** Seconds that the executor waits longer. */
const grace = 5;

const noLine = "No line that was printed since the last look matches.";

export const shellOutputInput = lazyInput(parameters.shell_output, () =>
  z.object({
    job: z.string().min(1).describe("such as job_1, as shell has returned it"),
    wait: z
      .number()
      .min(0)
      .max(longestWait)
      .optional()
      .describe("seconds to wait at most; it does not wait when absent"),
    until: z.string().min(1).max(1000).optional().describe("text that the line holds"),
    regex: z.boolean().optional().describe("until is a regular expression in RE2 syntax"),
  }),
);
