import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute } from "node:path";
import type { Duplex } from "node:stream";
import { isInside, type Root } from "../files/confine/root.ts";
import type { Lookup } from "../web/request/exchange.ts";
import type { Bubblewrap } from "./bubblewrap.ts";
import { type Bridge, openBridge } from "./egress/bridge.ts";
import type { HostRules } from "./egress/host-rules.ts";
import { findProgram, programFolders, realPath, systemPath } from "./find-program.ts";
import { gitSettings } from "./git/git-identity.ts";
import { ContendedError, planMounts, sandboxOwn } from "./mounts/plan-mounts.ts";
import { toolchainPlaces } from "./mounts/toolchains.ts";
import { verifyMounts } from "./mounts/verify-mounts.ts";
import { takeTurn } from "./running/turns.ts";
import { seccompFilter } from "./seccomp-filter.ts";

/** The network of a command in a sandbox: none, some hosts, or all of it. */
type Reach = "none" | "full" | HostRules;

export interface SandboxOptions {
  /** More folders and files that may be read. */
  readable: readonly string[];
  /** Resolves the names of hosts; the system's resolver when absent. */
  lookup?: Lookup | undefined;
}

export interface SandboxedCommand {
  program: string;
  args: readonly string[];
  /** Real path of a folder in the root. */
  cwd: string;
  /** The whole environment of the command. */
  env: NodeJS.ProcessEnv;
  reach: Reach;
}

/** How to start a command in its sandbox. */
export interface SandboxLaunch {
  file: string;
  args: readonly string[];
  /** What to write to the descriptors from 3 on. */
  inputs: readonly Uint8Array[];
  /** What to connect to the descriptors after the one that lets the command begin. */
  connections: readonly ((pipe: Duplex) => void)[];
  /** How many descriptors follow that tell how the command fares: that of bubblewrap, and that of the bridge if there is one. */
  reports: number;
  /**
   * Call it when the number of the first process of the sandbox is known, which waits until a byte comes on the descriptor
   * after those of the inputs. Until then no other command is put into a sandbox.
   *
   * @throws MountsDifferError if the command must not begin
   */
  verify(pid: number): Promise<void>;
  /**
   * Call it when the command has ended.
   *
   * @returns the repositories that were none any more, and are again
   */
  close(): Promise<string[]>;
}

/** Prepares commands that see a root and nothing else that is private on this machine. */
export interface Sandbox {
  /** @throws the system's error if something that must be covered cannot be; what `signal` is aborted with */
  prepare(command: SandboxedCommand, signal: AbortSignal): Promise<SandboxLaunch>;
}

/** After those of the options, of the filter and of what git ignores. */
const goDescriptor = 6;
/** The next one leads to the proxy if there is one, then come the two on which the sandbox and the bridge report. */
const statusDescriptor = { alone: 7, withBridge: 8 } as const;
/** Lists the paths that git ignores. */
const excludedFile = `${sandboxOwn}/exclude`;
/** Milliseconds between two attempts of a command that waits for others to end. */
const retryDelay = 25;
/** Milliseconds to wait for a turn to clean up; the next command of any process removes the rest. */
const longestLastTurn = 5000;

export function openSandbox(root: Root, bubblewrap: Bubblewrap, { readable, lookup }: SandboxOptions): Sandbox {
  async function prepare(command: SandboxedCommand, signal: AbortSignal): Promise<SandboxLaunch> {
    for (;;) {
      const endTurn = await takeTurn(signal);
      try {
        return await prepareInTurn(command, endTurn);
      } catch (error) {
        await endTurn();
        if (!(error instanceof ContendedError)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, retryDelay));
    }
  }

  async function prepareInTurn(
    { program, args, cwd, env, reach }: SandboxedCommand,
    endTurn: () => Promise<void>,
  ): Promise<SandboxLaunch> {
    const path = env.PATH ?? systemPath;
    const folders = [...new Set(programFolders(path, root).map(realPath))];
    const git = findProgram("git", [...folders, ...systemPath.split(delimiter)]);
    const sharesNetwork = reach === "full";
    const shown = [...readable, process.execPath, ...(program.includes("/") ? [] : placesOf(program, folders))];
    const closing: (() => Promise<void>)[] = [];
    const broken: string[] = [];
    const close = async () => {
      for (const each of closing.splice(0)) await each();
      return broken;
    };
    try {
      const bridge = typeof reach === "object" ? openBridge(reach, lookup) : undefined;
      if (bridge) closing.push(bridge.close);
      const mounts = await planMounts(root, {
        programFolders: folders,
        readable: shown,
        git,
        sharesNetwork,
      });
      closing.push(async () => {
        await endTurn();
        const end = await takeTurn(AbortSignal.timeout(longestLastTurn)).catch(() => undefined);
        if (end) broken.push(...(await mounts.release().finally(end)));
      });
      const variables: NodeJS.ProcessEnv = {
        // The home folder of the one who runs this is not there; a host that names another means that.
        ...{ ...env, HOME: env.HOME === process.env.HOME ? mounts.home : env.HOME },
        ...(git && (await gitSettings(git, env, mounts.ignored.length > 0 ? excludedFile : undefined))),
        ...bridge?.env,
        PATH: pathInside(path, root),
      };
      const options = [
        ...bubblewrap.flags,
        ...(sharesNetwork ? ["--share-net"] : []),
        ...mounts.args,
        ...(bridge?.mounts ?? []),
        ...["--file", "5", excludedFile, "--chdir", cwd, "--seccomp", "4"],
        ...[
          "--block-fd",
          `${goDescriptor}`,
          "--json-status-fd",
          `${statusDescriptor[bridge ? "withBridge" : "alone"]}`,
        ],
        ...Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : ["--setenv", name, value])),
      ];
      return {
        ...commandLine(bubblewrap, bridge, [program, ...args]),
        reports: bridge ? 2 : 1,
        connections: bridge ? [bridge.connect] : [],
        inputs: [
          terminated(options),
          filterFor(mounts.unixSockets),
          Buffer.from(mounts.ignored.map((line) => `${line}\n`).join("")),
        ],
        verify: (pid) => verifyMounts(pid, options, bubblewrap.own).finally(endTurn),
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  }

  return { prepare };
}

/** Where a program lies that the PATH has only as a link: with what belongs to it, where it stands in a folder of programs. */
function placesOf(program: string, folders: readonly string[]): string[] {
  const real = findProgram(program, folders);
  if (real === undefined || folders.includes(dirname(real))) return [];
  return /^s?bin$/.test(basename(dirname(real))) ? toolchainPlaces([dirname(real)], [homedir()]) : [real];
}

/** Names of folders in the root mean the same inside; links elsewhere are not there. */
function pathInside(path: string, { path: root }: Root): string {
  const folders = path.split(delimiter).map((folder) => {
    const real = isAbsolute(folder) ? realPath(folder) : folder;
    return isInside(root, real) ? folder : real;
  });
  return folders.join(delimiter) || systemPath;
}

/**
 * The options stand in no command line: they hold the values of the environment, and other users see command lines.
 * bubblewrap is started without any environment, so that what it was started with tells a command nothing.
 */
function commandLine({ program, prlimit }: Bubblewrap, bridge: Bridge | undefined, command: readonly string[]) {
  const wrapped = [program, "--args", "3", "--", ...(bridge?.command ?? []), ...command] as const;
  // With a limit of one byte neither a file is written nor a handler of the system started.
  if (prlimit !== undefined) return { file: prlimit, args: ["--core=1:1", "--", ...wrapped] };
  const [file, ...args] = wrapped;
  return { file, args };
}

/** Each option ends with a zero byte, and one that held some would be several. */
function terminated(options: readonly string[]): Uint8Array {
  const several = options.find((option) => option.includes("\0"));
  if (several !== undefined) throw new Error(`${JSON.stringify(several)} holds a character that no option can hold`);
  return Buffer.from(`${options.join("\0")}\0`);
}

function filterFor(unixSockets: boolean): Uint8Array {
  const filter = seccompFilter(process.arch, { unixSockets });
  if (!filter) throw new Error(`There is no filter of system calls for ${process.arch}.`);
  return filter;
}
