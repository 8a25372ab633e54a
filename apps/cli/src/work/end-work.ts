import { setTimeout } from "node:timers/promises";
import { commandsEnded, type Jobs } from "@cogency/toolbox/shell";
import { endJobs } from "./jobs.ts";
import type { OpenAgent } from "./open-agent.ts";

/** Milliseconds that commands which ignore signals may take to end and to be cleaned up. */
const longestEnd = 8000;

/** Ends what a command of the app leaves: its commands in the background, and what its agent holds. */
export async function endWork(jobs: Jobs, opened: Pick<OpenAgent, "close"> | undefined): Promise<void> {
  const ended = Promise.all([endJobs(jobs).then(commandsEnded), opened?.close()]);
  await Promise.race([ended, setTimeout(longestEnd)]);
}
