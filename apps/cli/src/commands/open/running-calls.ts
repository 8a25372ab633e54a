import { stripVTControlCharacters } from "node:util";
import type { Agent } from "@cogency/agent";
import type { RunningCall } from "@cogency/server";
import type { Key } from "@cogency/storage";
import { AgentPaths, pathText } from "../../person/show/agent-paths.ts";
import { progressAfter } from "../../screen/call-progress.ts";

/** Says which calls run in this process, and the last line of what each has printed. */
export function runningCalls(agent: Pick<Agent, "on">): (key: Key) => RunningCall[] {
  const running = new Map<string, { run: { id: string } & Key; progress: string }>();
  const paths = new AgentPaths();
  agent.on("tool_started", (event) => {
    paths.read(event);
    running.set(event.id, { run: event.run, progress: "" });
  });
  agent.on("subagent", (event) => {
    const { path, event: inner } = paths.read(event);
    const call = running.get(event.id);
    if (call && inner.type === "tool_started") call.progress = pathText(path.slice(1), inner.name);
  });
  agent.on("tool_progress", ({ id, update }) => {
    const call = running.get(id);
    if (call) call.progress = progressAfter(update, call.progress);
  });
  agent.on("tool_ended", ({ id }) => void running.delete(id));
  // A run that was cut off may have left calls that never end.
  agent.on("run_ended", (event) => {
    const { run } = event;
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
