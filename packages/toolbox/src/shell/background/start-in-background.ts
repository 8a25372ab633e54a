import { longestTimer } from "@cogency/async";
import type { ToolContext } from "@cogency/tools";
import type { Sandbox, SandboxedCommand } from "../../sandbox/open-sandbox.ts";
import type { CommandOptions } from "../run/run-command.ts";
import type { EndedCommand } from "./job.ts";
import type { JobBoard } from "./job-board.ts";
import { type JobResult, lookAt } from "./job-result.ts";

interface BackgroundStart {
  command: string;
  context: ToolContext;
  /** The hosts that it asks for. */
  asked: readonly string[];
  /** The sandbox, if its commands can share a network; undefined if the network is that of the machine, or leads to hosts. */
  sharing: Sandbox | undefined;
  /** Whether it may print text that no person vouched for. */
  isUntrusted: boolean;
  maxOutputBytes: number;
  started(
    own: Partial<CommandOptions>,
    place: Pick<SandboxedCommand, "network" | "isLasting">,
    onAside: (aside: EndedCommand["aside"]) => void,
  ): Promise<EndedCommand>;
}

/**
 * Starts a command that goes on when the call has returned.
 *
 * @returns the job, or how the command ended if it did within a second
 * @throws ShellError `jobs_full`; what the start of a command throws
 */
export async function startInBackground(
  board: JobBoard,
  { command, context, asked, sharing, isUntrusted, maxOutputBytes, started }: BackgroundStart,
): Promise<JobResult | EndedCommand> {
  const { network, apart } = await networkFor(board, context, sharing, asked);
  let isBegun = false;
  const onOutput: CommandOptions["onOutput"] = ({ stream, text }) => {
    // The call tells of no progress when it has returned.
    if (!isBegun) context.progress({ stream, text });
  };
  const { signal, state } = context;
  const begun = await board.start(context, {
    ...{ command, events: state.events, apart, isUntrusted, maxOutputBytes, signal },
    run: (own, onAside) => {
      const options = { ...own, onOutput, timeout: longestTimer, maxKeptBytes: undefined };
      return started(options, { network, isLasting: true }, onAside);
    },
  });
  isBegun = true;
  if (!("job" in begun)) return begun;
  const note = apart && `Other calls cannot reach what it listens on: ${apart}.`;
  const { job, ...rest } = lookAt(begun.job, note);
  return { job, command: shortened(command), ...rest };
}

async function networkFor(
  board: JobBoard,
  context: ToolContext,
  sharing: Sandbox | undefined,
  asked: readonly string[],
) {
  if (asked.length > 0) return { apart: "it names hosts, so it has a network of its own" };
  if (sharing === undefined) return {};
  try {
    return { network: await board.network(context, sharing) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { apart: `each command has a network of its own on this machine, because ${why}` };
  }
}

function shortened(command: string): string {
  return command.length > 100 ? `${command.slice(0, 100).toWellFormed()}…` : command;
}
