import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute } from "node:path";
import type { Duplex } from "node:stream";
import { isInside, type Root } from "../files/confine/root.ts";
import type { Lookup } from "../web/request/exchange.ts";
import type { Bubblewrap } from "./bubblewrap.ts";
import { openBridge } from "./egress/bridge.ts";
import type { HostRules } from "./egress/host-rules.ts";
import { findProgram, programFolders, realPath, systemPath } from "./find-program.ts";
import { gitSettings } from "./git/git-identity.ts";
import { ContendedError, planMounts, sandboxFiles } from "./mounts/plan-mounts.ts";
import { toolchainPlaces } from "./mounts/toolchains.ts";
import { verifyMounts } from "./mounts/verify-mounts.ts";
import { type Forward, openForward } from "./network/forward.ts";
import { openPrivateNetwork, type PrivateNetwork } from "./network/private-network.ts";
import type { SetAside } from "./obeyed/kept-places.ts";
import { lookAgain } from "./obeyed/look-again.ts";
import { takeTurn } from "./running/turns.ts";
import { seccompFilter } from "./seccomp-filter.ts";
import { startGate } from "./start-gate.ts";

/** The network of a command in a sandbox: none, some hosts, or all of it. */
type Network = "none" | "full" | HostRules;

export interface SandboxOptions {
  /** Folders and files that commands may read, in addition to the system's programs and the root. */
  readable: readonly string[];
  /** Resolves host names; defaults to the system's resolver. */
  lookup?: Lookup | undefined;
}

export interface SandboxedCommand {
  program: string;
  args: readonly string[];
  /** The names of all programs that it is known to run. */
  programs: readonly string[];
  /** Real path of a folder in the root. */
  cwd: string;
  /** The whole environment of the command. */
  env: NodeJS.ProcessEnv;
  reach: Network;
  /** The network that it enters, if it reaches none; defaults to one of its own. */
  network?: PrivateNetwork | undefined;
  /** Whether it may run for hours, so that others do not wait for its end. */
  isLasting?: boolean | undefined;
  /** Hears what a lasting command has made until now and the sandbox has set aside. */
  onSetAside?: ((made: readonly SetAside[]) => void) | undefined;
}

/** How to start a command in its sandbox. */
export interface SandboxLaunch {
  file: string;
  args: readonly string[];
  /** Bytes to write to the descriptors from 3 on. */
  inputs: readonly Uint8Array[];
  /** Called with the pipes of the descriptors after the start descriptor. */
  connections: readonly ((pipe: Duplex) => void)[];
  /** How many status descriptors follow: one of bubblewrap, and one of the bridge if there is a bridge. */
  reports: number;
  /**
   * Checks the mounts. Call it as soon as the pid of the sandbox's first process is known. That process waits for a byte on
   * the start descriptor, which follows the inputs. Until `verify` settles, no other command of the user enters a sandbox.
   *
   * @throws MountsDifferError if the command must not start
   */
  verify(pid: number): Promise<void>;
  /** Call it when the command has ended. */
  close(): Promise<Undone>;
}

/** What a command did and the sandbox has undone. */
interface Undone {
  /** The repositories that the command broke and that were restored. */
  broken: string[];
  /** What it made that programs outside would obey. */
  aside: SetAside[];
}

/** Prepares commands that see a root and nothing else that is private on this machine. */
export interface Sandbox {
  /** @throws the system's error if something that must be covered cannot be; the reason of `signal` */
  prepare(command: SandboxedCommand, signal: AbortSignal): Promise<SandboxLaunch>;
  /** Makes a network that commands can share. @throws Error that says why this machine has none */
  openNetwork(): Promise<PrivateNetwork>;
  /** Passes connections from 127.0.0.1 to a network. @throws the system's error, such as that the port is taken */
  openForward(network: PrivateNetwork, port: number): Promise<Forward>;
  /** Whether this machine has what a shared network needs; only the first attempt shows whether it allows one. */
  readonly mayShareNetwork: boolean;
}

/** Follows the descriptors of the options, of the seccomp filter and of git's ignored paths. */
const startDescriptor = 6;
/** With a bridge, descriptor 7 leads to the proxy; then follow the status descriptors of bubblewrap and of the bridge. */
const statusDescriptor = { alone: 7, withBridge: 8 } as const;
/** A file in the sandbox with the patterns of paths that git ignores there. */
const excludedFile = `${sandboxFiles}/exclude`;
/** Milliseconds between two attempts of a command that waits for another one to end. */
const retryDelay = 25;
/** Milliseconds to wait for the turn to clean up. After that the next command of any process cleans up. */
const longestLastTurn = 5000;

export function openSandbox(root: Root, bubblewrap: Bubblewrap, { readable, lookup }: SandboxOptions): Sandbox {
  async function prepare(command: SandboxedCommand, signal: AbortSignal): Promise<SandboxLaunch> {
    for (;;) {
      const endTurn = await takeTurn(signal);
      try {
        return await prepareInTurn(command, endTurn);
      } catch (error) {
        await endTurn();
        if (!(error instanceof ContendedError) || error.isLasting) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, retryDelay));
    }
  }

  async function prepareInTurn(
    { program, args, programs, cwd, env, reach, network: given, isLasting, onSetAside }: SandboxedCommand,
    endTurn: () => Promise<void>,
  ): Promise<SandboxLaunch> {
    const path = env.PATH ?? systemPath;
    const folders = [...new Set(programFolders(path, root).map(realPath))];
    const git = findProgram("git", [...folders, ...systemPath.split(delimiter)]);
    const sharesNetwork = reach === "full";
    const network = reach === "none" ? given : undefined;
    const shown = [
      ...readable,
      process.execPath,
      ...[...new Set([program, ...programs])]
        .filter((name) => !name.includes("/"))
        .flatMap((name) => linkedProgramPlaces(name, folders)),
    ];
    const closing: (() => Promise<void>)[] = [];
    const gate = startGate();
    const undone: Undone = { broken: [], aside: [] };
    const close = async () => {
      for (const each of closing.splice(0)) await each();
      return undone;
    };
    try {
      const bridge = typeof reach === "object" ? openBridge(reach, lookup) : undefined;
      if (bridge) closing.push(bridge.close);
      const mounts = await planMounts(root, {
        programFolders: folders,
        readable: shown,
        git,
        sharesNetwork,
        isLasting: isLasting === true,
      });
      let endLooking = async () => {};
      const setAsideMade = async (doubtful?: Set<string>) => {
        const known = new Set(undone.aside.map(({ path }) => path));
        const made = (await mounts.setAsideMade(doubtful)).filter(({ path }) => !known.has(path));
        undone.aside.push(...made);
        if (made.length > 0) onSetAside?.(undone.aside);
      };
      closing.push(async () => {
        await endTurn();
        await endLooking();
        try {
          await setAsideMade();
        } finally {
          const end = await takeTurn(AbortSignal.timeout(longestLastTurn)).catch(() => undefined);
          if (end) undone.broken.push(...(await mounts.release().finally(end)));
        }
      });
      const variables: NodeJS.ProcessEnv = {
        // The user's home folder does not exist in the sandbox. A HOME that the host set is kept.
        ...{ ...env, HOME: env.HOME === process.env.HOME ? mounts.home : env.HOME },
        ...(git && (await gitSettings(git, env, mounts.ignored.length > 0 ? excludedFile : undefined))),
        ...bridge?.env,
        PATH: pathInside(path, root),
      };
      const options = [
        ...bubblewrap.flags,
        ...(sharesNetwork || network ? ["--share-net"] : []),
        ...mounts.args,
        ...gate.mounts,
        ...(bridge?.mounts ?? []),
        ...["--file", "5", excludedFile, "--chdir", cwd, "--seccomp", "4"],
        ...[
          "--block-fd",
          `${startDescriptor}`,
          "--json-status-fd",
          `${statusDescriptor[bridge ? "withBridge" : "alone"]}`,
        ],
        ...Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : ["--setenv", name, value])),
      ];
      return {
        ...commandLine(bubblewrap, network, [...gate.command, ...(bridge?.command ?? []), program, ...args]),
        reports: bridge ? 2 : 1,
        connections: bridge ? [bridge.connect] : [],
        inputs: [
          terminated(options),
          filterFor(mounts.unixSockets),
          Buffer.from(mounts.ignored.map((line) => `${line}\n`).join("")),
        ],
        verify: async (pid) => {
          await verifyMounts(pid, options, bubblewrap.own).finally(endTurn);
          network?.check(pid);
          // A person works beside a command that runs for hours: what it makes must not lie there until it ends.
          const doubtful = new Set<string>();
          if (isLasting) endLooking = lookAgain(() => setAsideMade(doubtful));
        },
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  }

  return {
    prepare,
    openNetwork: () => openPrivateNetwork(bubblewrap),
    openForward: (network, port) => openForward(bubblewrap, network, port),
    mayShareNetwork: bubblewrap.nsenter !== undefined,
  };
}

/** The target of a program that the PATH holds as a link, with its libraries if it is in a `bin` folder. */
function linkedProgramPlaces(program: string, folders: readonly string[]): string[] {
  const real = findProgram(program, folders);
  if (real === undefined || folders.includes(dirname(real))) return [];
  return /^s?bin$/.test(basename(dirname(real))) ? toolchainPlaces([dirname(real)], [homedir()]) : [real];
}

/** Folders in the root have the same path in the sandbox. Links elsewhere do not exist there, so they are resolved. */
function pathInside(path: string, { path: root }: Root): string {
  const folders = path.split(delimiter).map((folder) => {
    const real = isAbsolute(folder) ? realPath(folder) : folder;
    return isInside(root, real) ? folder : real;
  });
  return folders.join(delimiter) || systemPath;
}

/**
 * bubblewrap reads its options from a descriptor, because they hold the values of the environment and other users can see
 * command lines. It starts without an environment, because the command can read that.
 */
function commandLine(
  { program, prlimit }: Bubblewrap,
  network: PrivateNetwork | undefined,
  command: readonly string[],
): { file: string; args: readonly string[] } {
  const inside = [program, "--args", "3", "--", ...command];
  const wrapped = [...(network?.enter ?? []), ...inside];
  // A limit of one byte prevents both core files and the system's core dump handler; a limit of 0 does not stop the handler.
  if (prlimit !== undefined) return { file: prlimit, args: ["--core=1:1", "--", ...wrapped] };
  const [file = program, ...args] = wrapped;
  return { file, args };
}

/** Each option ends with a zero byte, so an option that holds one would become two. */
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
