import { type Content, defineTool, type Tool } from "@cogency/tools";
import * as z from "zod";
import { lazyInput } from "../../lazy-input.ts";
import { checkOptionsOf } from "../../options.ts";
import parameters from "../../parameters.json" with { type: "json" };
import type { Job } from "./job.ts";
import { boardOf } from "./job-board.ts";
import { contentOf, type JobResult, lookAt } from "./job-result.ts";
import type { JobToolOptions } from "./jobs.ts";

/**
 * `shell_stop`: ends a command in the background with all that it has started.
 *
 * It needs no approval: it ends nothing but what `shell` was allowed to start in the same conversation.
 */
export function shellStopTool(options: JobToolOptions): Tool<"shell_stop"> {
  checkOptionsOf("shellStopTool", options);
  const board = boardOf(options.jobs);
  const seen = new WeakMap<object, Job>();
  return defineTool({
    name: "shell_stop",
    description: "End a command in the background with all that it has started, and give the rest of what it printed.",
    input: shellStopInput,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    approval: "allow",
    brings: (args): Content[] => contentOf(args.job, seen.get(args)),
    async execute(args, context): Promise<JobResult> {
      const job = board.job(context, args.job, context.state.events);
      seen.set(args, job);
      await job.stop();
      return lookAt(job);
    },
  });
}

export const shellStopInput = lazyInput(parameters.shell_stop, () =>
  z.object({ job: z.string().min(1).describe("such as job_1, as shell has returned it") }),
);
