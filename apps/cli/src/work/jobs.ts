import type { AgentHook } from "@cogency/agent/hooks";
import type { Key } from "@cogency/storage";
import type { NoticeContent } from "@cogency/storage/adapter";
import { type JobState, type Jobs, openJobs } from "@cogency/toolbox/shell";
import { inPlainWords } from "../base/errors/in-plain-words.ts";
import { note } from "../base/terminal/note.ts";
import { counted, oneLine } from "../base/terminal/text.ts";
import type { Options } from "../place/config/option-table.ts";

/** What the commands in the background may tell. */
interface JobsTold {
  warn(message: string): void;
  /** Sends what the conversation is to read: a command has ended. */
  send(to: Key, notice: NoticeContent): Promise<unknown>;
}

/** Holds the commands in the background. The ports that the person has named are opened when the first one runs. */
export function openJobsFor({ forward }: Options<"forward">, { warn, send }: JobsTold): Jobs {
  return openJobs({
    ports: forward,
    warn: (message) => warn(`--forward: ${inPlainWords(message)}`),
    onEnd: (key, job) => {
      // The next run tells of commands that are gone, also where the store fails now.
      send(key, endNotice(job)).catch(() => {});
    },
  });
}

/** What the model reads when a command has ended. No text that it has printed: the tool `shell_output` says what that is. */
function endNotice({ id, command, ended = "it has ended" }: JobState): NoticeContent {
  const content = `The command ${oneLine(command, 80)} in the background has ended (${ended}). shell_output reads what it has printed.`;
  return { kind: "notice", source: id, content };
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
