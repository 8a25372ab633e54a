import type { AgentHook } from "@cogency/agent/hooks";
import { type Jobs, openJobs } from "@cogency/toolbox/shell";
import { inPlainWords } from "../base/errors/in-plain-words.ts";
import { note } from "../base/terminal/note.ts";
import { counted } from "../base/terminal/text.ts";
import type { Options } from "../place/config/option-table.ts";

/** Holds the commands in the background. The ports that the person has named are opened when the first one runs. */
export function openJobsFor({ forward }: Options<"forward">, warn: (message: string) => void): Jobs {
  return openJobs({ ports: forward, warn: (message) => warn(`--forward: ${inPlainWords(message)}`) });
}

/** Tells the model which commands in the background have ended with the process that had started them. */
export function jobsGoneHook(jobs: Jobs): AgentHook {
  return {
    name: "jobs",
    beforeRun: ({ conversation, user, state }) => ({ notify: jobs.notice({ conversation, user }, state.events) }),
  };
}

/** Ends all commands in the background, and says in one line that there were some. */
export async function endJobs(jobs: Jobs): Promise<void> {
  const count = await jobs.endAll();
  if (count > 0) note(`${endedText(count)} with the run.`);
}

/** `2 commands in the background were ended` */
export function endedText(count: number): string {
  return `${counted(count, "command")} in the background ${count === 1 ? "was" : "were"} ended`;
}
