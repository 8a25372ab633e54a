import type { JobState } from "@cogency/toolbox/shell";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { runningText } from "../../person/turn/duration-text.ts";
import { isPort } from "../../place/config/port.ts";
import type { SlashCommand } from "./slash-command.ts";

/** `/jobs`: what runs in the background, how to end it, and how to reach it. */
export const jobsCommand: SlashCommand = {
  name: "jobs",
  argument: "[stop <id>|open <port>]",
  help: "the commands in the background; stop ends one, open makes its port reachable from this machine",
  anytime: true,
  complete: ({ session }) => {
    const jobs = session.jobs.of({ conversation: session.conversation }).filter(({ ended }) => ended === undefined);
    return [...jobs.map(({ id }) => `stop ${id}`), "open"];
  },
  async run({ session, view }, argument) {
    const { jobs } = session;
    const key = { conversation: session.conversation };
    const [, word, value = ""] = /^(?:(stop|open)\s+(\S+))?$/.exec(argument) ?? [undefined, "unknown"];
    if (word === "stop") {
      await jobs.stop(key, value);
      return view.remark(`${oneLine(value, 60)} was ended.`);
    }
    if (word === "open") {
      const port = /^\d{1,5}$/.test(value) ? Number(value) : 0;
      if (!isPort(port)) throw new UsageError("/jobs open takes a port: /jobs open 3000");
      await jobs.openPort(key, port);
      return view.remark(
        `http://127.0.0.1:${port} leads to what listens there in the background, until this conversation is left.`,
      );
    }
    if (word !== undefined) throw new UsageError("Write /jobs, /jobs stop <id> or /jobs open <port>.");
    const found = jobs.of(key);
    if (found.length === 0) return view.remark("Nothing was started in the background.");
    view.list(found.map((job) => [job.id, textOf(job)]));
    const ports = jobs.ports(key);
    if (ports.length > 0)
      view.remark(`Open to this machine: ${ports.map((port) => `http://127.0.0.1:${port}`).join(", ")}`);
  },
};

function textOf({ command, seconds, ended, lastLine }: JobState): string {
  const state = ended === undefined ? runningText(seconds) : `${ended} after ${runningText(seconds)}`;
  return [oneLine(command, 60), state, oneLine(lastLine, 80)].filter(Boolean).join(" · ");
}
