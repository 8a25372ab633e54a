import { stripVTControlCharacters } from "node:util";
import type { Agent } from "@cogency/agent";
import type { RunningCall } from "@cogency/server";
import type { Key } from "@cogency/storage";
import { progressAfter } from "../../screen/call-progress.ts";

/** Says which calls run in this process, and the last line of what each has printed. */
export function runningCalls(agent: Pick<Agent, "on">): (key: Key) => RunningCall[] {
  const running = new Map<string, { run: { id: string } & Key; progress: string }>();
  agent.on("tool_started", ({ id, run }) => void running.set(id, { run, progress: "" }));
  agent.on("tool_progress", ({ id, update }) => {
    const call = running.get(id);
    if (call) call.progress = progressAfter(update, call.progress);
  });
  agent.on("tool_ended", ({ id }) => void running.delete(id));
  // A run that was cut off may have left calls that never end.
  agent.on("run_ended", ({ run }) => {
    for (const [id, call] of running) if (call.run.id === run.id) running.delete(id);
  });
  return ({ conversation, user }) =>
    [...running]
      .filter(([, { run }]) => run.conversation === conversation && run.user === user)
      .map(([id, { progress }]) => ({ id, line: lastLine(progress).slice(0, mostShown) }));
}

/** Characters of a line: more than a page shows in one row. */
const mostShown = 500;

function lastLine(text: string): string {
  const lines = stripVTControlCharacters(text).split(/[\r\n]+/);
  return lines.findLast((line) => line.trim() !== "")?.trim() ?? "";
}
