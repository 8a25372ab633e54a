import type { LogEvent, UserEvent } from "@cogency/protocol";
import { noticeSources } from "@cogency/protocol/host";

/** A command that began in the background of a conversation, as its log tells it. */
export interface LoggedJob {
  readonly id: string;
  readonly command: string;
  /** Whether the model has read that it ended, or that it is gone. */
  readonly isOver: boolean;
}

/** The commands in the background that a log tells of, by id. A log from elsewhere may hold anything. */
export function jobsInLog(events: readonly LogEvent[]): ReadonlyMap<string, LoggedJob> {
  const jobs = new Map<string, LoggedJob>();
  const over = (id: string) => {
    const job = jobs.get(id);
    if (job) jobs.set(id, { ...job, isOver: true });
  };
  for (const event of events) {
    if (event.type === "user" && event.origin === "notice")
      for (const id of [...goneIn(event.content), ...endedIn(event)]) over(id);
    if (event.type !== "record" || event.kind !== "finished") continue;
    const { tool, content } = event.data?.result ?? {};
    if (typeof content !== "object" || content === null || Array.isArray(content)) continue;
    const { job: id, command, state } = content;
    if (typeof id !== "string" || numberOf(id) === undefined) continue;
    if (tool === "shell" && typeof command === "string") jobs.set(id, { id, command, isOver: false });
    if ((tool === "shell_output" || tool === "shell_stop") && state === "ended") over(id);
  }
  return jobs;
}

/** The highest number of a job in the log; 0 if there is none. */
export function latestNumber(events: readonly LogEvent[]): number {
  return Math.max(0, ...[...jobsInLog(events).keys()].map((id) => numberOf(id) ?? 0));
}

/** What the model is told of commands that are gone without its doing. */
export function goneNotice(gone: readonly LoggedJob[]): string {
  const named = gone.map(({ id, command }) => `${id} (${command})`).join(", ");
  return `${noticeStart} ${named}. Start again what is still needed.`;
}

const noticeStart =
  "What ran in the background has ended, because the conversation was left or the process that had started it has ended:";

function goneIn(notice: unknown): string[] {
  if (typeof notice !== "string" || !notice.startsWith(noticeStart)) return [];
  return Array.from(notice.matchAll(/(?:: |\), )(job_\d{1,9}) \(/g), ([, id = ""]) => id);
}

/** The jobs whose end the host has told of (`JobsOptions.onEnd`). What somebody else says under such a name is no end. */
function endedIn(notice: UserEvent): string[] {
  return noticeSources(notice).flatMap(({ source, holds }) => (holds === undefined ? [source] : []));
}

function numberOf(id: string): number | undefined {
  const number = /^job_(\d{1,9})$/.exec(id)?.[1];
  return number === undefined ? undefined : Number(number);
}
