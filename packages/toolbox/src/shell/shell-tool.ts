import { longestTimer } from "@cogency/async";
import { type Content, defineTool, type Tool } from "@cogency/tools";
import { noteCommand, refuseChanged, stateKeys, statesOf } from "../files/calls/file-states.ts";
import { changedSinceJudged, JudgedCalls, leadsElsewhere } from "../files/calls/judged-calls.ts";
import { existingFolder } from "../files/confine/existing-path.ts";
import type { Root } from "../files/confine/root.ts";
import type { ChangeOptions } from "../files/write/kept-change.ts";
import { checkOptionsOf, checkRoot } from "../options.ts";
import type { HostRules } from "../sandbox/egress/host-rules.ts";
import type { SetAside } from "../sandbox/obeyed/kept-places.ts";
import { openSandbox, type Sandbox, type SandboxedCommand } from "../sandbox/open-sandbox.ts";
import type { EndedCommand } from "./background/job.ts";
import { boardOf } from "./background/job-board.ts";
import { startInBackground } from "./background/start-in-background.ts";
import { holdsCommands, noteConfined } from "./confined-tools.ts";
import { ShellError } from "./errors.ts";
import { filesRunBy } from "./files-run.ts";
import { keepCut, keptBytes } from "./kept-output/keep-cut.ts";
import { commandEnvironment } from "./run/environment.ts";
import type { LiveOutput } from "./run/live-output.ts";
import { type CommandEnd, type CommandOptions, runCommand } from "./run/run-command.ts";
import { runSandboxed } from "./run/run-sandboxed.ts";
import { programsOf, readScript } from "./script/read-script.ts";
import { startOf } from "./script/start-of.ts";
import { cancelled, commandFailed, notStarted, timedOut } from "./shell-failures.ts";
import { type ShellArguments, type ShellSeconds, shellInput } from "./shell-input.ts";
import { isolationFor } from "./shell-isolation.ts";
import { hostsOfCall, networkOf } from "./shell-network.ts";
import type { ShellOptions } from "./shell-options.ts";
import { type Aside, asideOf, resultOf } from "./shell-result.ts";
import { runInTerminal } from "./terminal/run-in-terminal.ts";
import type { TerminalShown } from "./terminal/terminals.ts";
import { watchCommand } from "./watch-command.ts";

/**
 * `shell`: runs a command line, in a sandbox if the machine supports one. One program with literal words runs without a shell;
 * bash runs everything else, with `pipefail`. If it ends with another exit code than 0 or by a signal, the call fails with
 * `command_failed`; the message holds what was printed.
 *
 * @throws ShellError `isolation_unavailable` if a required sandbox does not exist; `option_invalid`
 */
export function shellTool(root: Root, options: ShellOptions & ChangeOptions = {}): Tool<"shell"> {
  checkRoot("shellTool", root);
  checkOptionsOf("shellTool", options);
  const { maxOutputBytes = 65_536, killAfter = 2000, env: extra, network = "none", terminals } = options;
  const { usual, longest } = secondsOf(options);
  const reachable = networkOf(network);
  const sandbox = sandboxFor(root, options);
  const board = options.jobs && boardOf(options.jobs);
  const hosts = sandbox !== undefined && typeof reachable === "object" ? reachable : undefined;
  const hasNetwork = (asked: readonly string[] | undefined) =>
    sandbox === undefined || reachable === "full" || (hosts !== undefined && asked !== undefined && asked.length > 0);

  // The tool does not know which files a program reads, and some may be marked.
  const isUntrusted = (asked: readonly string[] | undefined) =>
    hasNetwork(asked) || root.hasMarks || board?.wasOpened === true;

  async function launch(
    command: string,
    cwd: string,
    asked: readonly string[],
    run: CommandOptions,
    place: Pick<SandboxedCommand, "network" | "isLasting" | "onSetAside">,
    onTerminal: (id: string) => void,
  ): Promise<CommandEnd> {
    const base = sandbox === undefined ? {} : { TMPDIR: undefined };
    const { program, args, env } = startOf(command, root, commandEnvironment(root, { ...base, ...extra }));
    const failed = (error: unknown) => {
      throw notStarted(error, command, program, root);
    };
    if (sandbox === undefined && terminals && !place.isLasting)
      return await runInTerminal(terminals, { file: program, args, cwd, env }, { ...run, command, onTerminal });
    if (sandbox === undefined) return await runCommand({ file: program, args, cwd, env }, run).catch(failed);
    const reach = asked.length > 0 && hosts ? hostsOfCall(command, asked, hosts).rules : withoutHosts(reachable);
    const programs = programsOf(readScript(command), program);
    const sandboxed = { program, args, programs, cwd, env, reach, ...place };
    return await runSandboxed(sandbox, command, sandboxed, run).catch(failed);
  }

  const judged = new JudgedCalls(async ({ command, cwd = "." }: ShellArguments) => {
    const folder = await startFolder(root, cwd);
    return { folder, states: await statesOf(root, await filesRunBy(root, readScript(command), folder)) };
  });
  const tool = defineTool({
    name: "shell",
    description: [
      whatItDoes,
      sandbox ? insideSandbox(reachable) : rightsOutside,
      ...(terminals && !sandbox ? [insideTerminal] : []),
      ...(board && sandbox && reachable !== "full" ? [jobsInside(sandbox.mayShareNetwork)] : []),
    ].join(" "),
    input: shellInput({ usual, longest }, hosts, board !== undefined),
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: sandbox === undefined || reachable !== "none",
    },
    approval: "ask",
    // Ending a command takes longer than usual, because the processes that it started are looked up.
    grace: 400,
    // The executor's own limit applies only to a command that cannot even be killed.
    timeout: longest * 1000 + killAfter + executorGrace,
    async resource(args) {
      const { command, hosts: asked = [] } = args;
      // A command that cannot run is refused before a person is asked about it.
      startOf(command, root, {});
      const { folder, states } = await judged.judge(args);
      const touched = hosts ? hostsOfCall(command, asked, hosts).rules.entries.map((entry) => `host:${entry}`) : [];
      // No key can name what an unconfined command may change outside of the root, so one key says that it is unconfined.
      const unconfined = sandbox === undefined ? ["unconfined:shell"] : [];
      return [
        "shell",
        ...unconfined,
        `tree:${root.path}`,
        `folder:${root.path}`,
        `cwd:${folder}`,
        ...touched,
        ...stateKeys(states),
      ];
    },
    cautions({ command, hosts: asked = [] }) {
      const beyond = hosts ? hostsOfCall(command, asked, hosts).beyond : [];
      return beyond.map((host) => `It asks to reach ${host}, which the configuration does not list.`);
    },
    brings({ command, hosts: asked }): Content[] {
      const source = `shell ${shortened(command)}`;
      return [{ holds: "private", source }, ...(isUntrusted(asked) ? [{ holds: "untrusted" as const, source }] : [])];
    },
    reachesOut: ({ hosts: asked }) => hasNetwork(asked),
    async execute(args, context) {
      const { signal, progress } = context;
      const { command, cwd = ".", hosts: asked = [], timeout: seconds = usual } = args;
      const { program } = startOf(command, root, {});
      signal.throwIfAborted();
      const folder = await startFolder(root, cwd);
      const expected = await judged.get(args);
      if (folder !== (expected?.folder ?? folder)) throw changedSinceJudged(cwd, leadsElsewhere);
      await refuseChanged(root, expected?.states);
      const limit = Math.min(seconds, longest) * 1000;
      const onOutput = ({ stream, text }: LiveOutput) => progress({ stream, text });
      const onTerminal = (id: string) => progress({ type: "terminal", id } satisfies TerminalShown);
      const watch = await watchCommand(root, context, options.undo);
      const maxKeptBytes = options.outputs && keptBytes;
      const run = { timeout: limit, killAfter, maxOutputBytes, maxKeptBytes, signal, onOutput };
      const started = async (
        own: Partial<CommandOptions>,
        place: Pick<SandboxedCommand, "network" | "isLasting">,
        onAside?: (aside: Aside) => void,
      ) => {
        const all = { ...run, ...own };
        const onSetAside = (made: readonly SetAside[]) => onAside?.(asideOf(root, made, []));
        let later: string[] = [];
        noteCommand();
        const launched = await launch(command, folder, asked, all, { ...place, onSetAside }, onTerminal).finally(
          async () => {
            noteCommand();
            later = await watch.ended();
          },
        );
        const end = await keepCut(launched, options.outputs, context);
        return { end, aside: asideOf(root, end.aside ?? [], later) };
      };
      const sharing = sandbox !== undefined && reachable !== "full" && asked.length === 0 ? sandbox : undefined;
      let ended: EndedCommand;
      if (args.background === true && board) {
        const begun = await startInBackground(board, {
          ...{ command, context, asked, sharing, maxOutputBytes, started },
          isUntrusted: isUntrusted(asked),
        });
        if ("job" in begun) return begun;
        ended = begun;
      } else {
        const network = sharing && (await board?.sharedNetwork(context));
        ended = await started({}, { network });
      }
      const { end, aside } = ended;
      if (signal.aborted) throw cancelled(end, command, program) ?? signal.reason;
      if (end.end === "timeout") throw timedOut(end, command, program, limit, longest, aside);
      if (end.signal !== null || end.exitCode !== 0) throw commandFailed(end, command, aside);
      return resultOf(end, aside);
    },
  });
  if (sandbox !== undefined && holdsCommands(root, options)) noteConfined(tool);
  return tool;
}

function secondsOf({ timeout, maxTimeout }: ShellOptions): ShellSeconds {
  const longest = Math.min(maxTimeout ?? timeout ?? usualTimeout, longestTimer);
  return { usual: Math.min(timeout ?? usualTimeout, longest) / 1000, longest: longest / 1000 };
}

const usualTimeout = 120_000;

const whatItDoes =
  "Run a command line in the root folder, as bash understands it: pipes, redirections, variables, wildcards, loops and here-documents " +
  "work, and a failure anywhere in a pipe counts. Each call starts anew in the folder that cwd names, with an empty stdin.";

function jobsInside(mayShareNetwork: boolean): string {
  const together = "While a command runs in the background, other calls reach what it listens on at 127.0.0.1";
  return mayShareNetwork
    ? `${together}, but not calls that name hosts, nor those in the background that did.`
    : "Each command has a loopback of its own, so no other call reaches what one in the background listens on.";
}

const rightsOutside = "It has the rights of the user who runs this agent, on the whole machine and its network.";

const insideTerminal =
  "It runs in a terminal that the person sees: stdout holds both streams, and a program that waits for input waits for the person.";

function insideSandbox(reachable: "none" | "full" | HostRules): string {
  const network =
    typeof reachable === "object"
      ? "It has no network but what the argument hosts names, through a proxy that its environment names."
      : { none: "It has no network.", full: "It has the network of this machine." }[reachable];
  return (
    "It runs in a sandbox with the programs of the system, the root folder and an empty home folder and /tmp, both gone " +
    `afterwards with every process that it started; settings and hooks of git repositories cannot be changed. ${network}`
  );
}

/**
 * @returns undefined if commands run without a sandbox
 * @throws ShellError `isolation_unavailable`
 */
function sandboxFor(
  root: Root,
  { sandbox, readable = [], lookup, warn = console.warn }: ShellOptions,
): Sandbox | undefined {
  const isolation = isolationFor(root, { sandbox });
  if (isolation === undefined) return undefined;
  if (isolation.isolated) return openSandbox(root, isolation, { readable, lookup });
  const { problem, advice } = isolation;
  if (sandbox === "required") {
    const message = `shell needs a sandbox, and there is none: ${problem}. ${advice}`;
    throw new ShellError("isolation_unavailable", "", message);
  }
  const dangers = "They can read and change everything that this process can, its keys included, and use the network.";
  const choice = 'To run them so without this warning, choose the sandbox "off".';
  warnOnce(warn, `shell runs commands without a sandbox: ${problem}. ${dangers} ${advice} ${choice}`);
  return undefined;
}

function warnOnce(warn: (message: string) => void, message: string): void {
  const messages = warned.get(warn) ?? new Set();
  if (!messages.has(message)) warn(message);
  warned.set(warn, messages.add(message));
}

const warned = new WeakMap<(message: string) => void, Set<string>>();

function withoutHosts(reachable: "none" | "full" | HostRules): "none" | "full" {
  return reachable === "full" ? "full" : "none";
}

/** @throws ToolboxError for a folder outside the root */
async function startFolder(root: Root, cwd: string): Promise<string> {
  return cwd === "." ? root.base : (await existingFolder(root, cwd)).real;
}

function shortened(command: string): string {
  return command.length > 100 ? `${command.slice(0, 100).toWellFormed()}…` : command;
}

/** Milliseconds that the executor waits longer than the tool needs to end a command. */
const executorGrace = 5000;
