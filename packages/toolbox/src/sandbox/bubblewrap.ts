import { spawnSync } from "node:child_process";
import type { Root } from "../files/confine/root.ts";
import { isInside } from "../files/guard/is-inside.ts";
import { type Mount, parseMounts } from "../files/guard/mounts.ts";
import { findProgram, programFolders, systemPath } from "./find-program.ts";
import { isolationFlags, knowsNeededFlags, systemMounts } from "./mounts/system-mounts.ts";
import { seccompFilter } from "./seccomp-filter.ts";

/** The sandbox program of this machine, or why there is none. */
export type Isolation = Bubblewrap | Unisolated;

export interface Bubblewrap {
  readonly isolated: true;
  /** Path of `bwrap`. */
  readonly program: string;
  /** The isolation flags that this version supports. */
  readonly flags: readonly string[];
  /** Path of `prlimit`, which prevents core dumps; undefined if it is not installed. */
  readonly prlimit: string | undefined;
  /** Path of `nsenter`, which starts a command in the network of others; undefined if it is not installed. */
  readonly nsenter: string | undefined;
  /** The mounts that it always makes: `/`, `/proc` and `/dev`. */
  readonly own: readonly Mount[];
}

export interface Unisolated {
  readonly isolated: false;
  /** Says what is missing. */
  readonly problem: string;
  /** Says what a person can do about it. */
  readonly advice: string;
}

/** The machine to look at; a field defaults to this machine's. */
export interface Machine {
  platform: string;
  architecture: string;
  /** The PATH to search for `bwrap`. */
  path: string;
}

/**
 * Looks for bubblewrap and tries it once with a program that does nothing. The result is cached until the process ends.
 *
 * Of the PATH, the folders of the system come first, and those in the root not at all: what a command has written there, such as `.venv/bin/bwrap`,
 * would run outside of any sandbox. A bubblewrap of the system that does not work gives way to another one.
 */
export function findIsolation(machine: Partial<Machine> = {}, root?: Root): Isolation {
  const { platform = process.platform, architecture = process.arch, path = process.env.PATH ?? "" } = machine;
  if (platform !== "linux")
    return unisolated(`bubblewrap, which isolates programs, exists only for Linux`, elsewhereAdvice);
  if (!seccompFilter(architecture, { unixSockets: true })) {
    return unisolated(
      `programs can be isolated on x64 and arm64, and this machine is ${architecture}`,
      elsewhereAdvice,
    );
  }
  const system = programFolders(systemPath, root);
  const own = programFolders(path, root);
  const programs = [own.filter((folder) => system.includes(folder)), own].map((some) => findProgram("bwrap", some));
  const found = [...new Set(programs)].filter((program) => program !== undefined);
  const tried: Isolation[] = [];
  for (const program of found) {
    const isolation = isolationBy(program, [...system, ...own]);
    if (isolation.isolated) return isolation;
    tried.push(isolation);
  }
  return tried[0] ?? unisolated('bubblewrap ("bwrap") was not found on the PATH', installAdvice);
}

function isolationBy(program: string, folders: readonly string[]): Isolation {
  const [prlimit, nsenter] = ["prlimit", "nsenter"].map((name) => findProgram(name, folders));
  const key = JSON.stringify([program, prlimit, nsenter]);
  const isolation = knownIsolations.get(key) ?? tryBubblewrap(program, prlimit, nsenter);
  knownIsolations.set(key, isolation);
  return isolation;
}

const knownIsolations = new Map<string, Isolation>();

/** Milliseconds; a probe takes about 20. */
const probeTimeout = 10_000;

function tryBubblewrap(program: string, prlimit: string | undefined, nsenter: string | undefined): Isolation {
  const run = (args: readonly string[]) =>
    spawnSync(program, args, { env: {}, stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", timeout: probeTimeout });
  // It ends by itself. With `--die-with-parent`, one that is killed while it makes the sandbox would leave a process.
  const probeWith = (flags: readonly string[]) =>
    run([
      ...flags.filter((flag) => flag !== "--die-with-parent"),
      ...systemMounts(),
      "--remount-ro",
      "/proc",
      "--",
      "/usr/bin/cat",
      "/proc/self/mountinfo",
    ]);
  // `--disable-userns` came after all the others, so a bubblewrap that takes it need not be asked for them, which saves a process.
  const newest = probeWith(isolationFlags);
  const own = ownMountsIn(newest.stdout ?? "");
  if (newest.status === 0 && own.length > 0)
    return { isolated: true, program, flags: isolationFlags, prlimit, nsenter, own };
  const help = run(["--help"]);
  if (!knowsNeededFlags(`${help.stdout}${help.stderr}`))
    return unisolated(`"${program}" is too old, or no bubblewrap`, installAdvice);
  // A setuid bubblewrap rejects `--disable-userns`. The seccomp filter refuses new user namespaces without it, too.
  const flags = isolationFlags.filter((flag) => flag !== "--disable-userns");
  const probe = probeWith(flags);
  if (probe.status === 0) return { isolated: true, program, flags, prlimit, nsenter, own: ownMountsIn(probe.stdout) };
  const printed = probe.stderr?.trim().split("\n").at(-1)?.slice(0, 300) || String(probe.error ?? "no output");
  return unisolated(`bubblewrap cannot isolate programs here (${printed})`, adviceFor(printed));
}

function ownMountsIn(mountinfo: string): Mount[] {
  return parseMounts(mountinfo).filter(
    ({ point }) => point === "/" || isInside("/proc", point) || isInside("/dev", point),
  );
}

function unisolated(problem: string, advice: string): Unisolated {
  return { isolated: false, problem, advice };
}

const elsewhereAdvice = "Run the agent in a container or a virtual machine that holds nothing but its work.";
const installAdvice =
  "Install bubblewrap 0.5 or newer: apt-get install bubblewrap, dnf install bubblewrap, apk add bubblewrap or pacman -S bubblewrap.";

const namespaceAdvice = [
  "The system refuses user namespaces to this process.",
  "Ubuntu 24.04 and later: allow them to bwrap with an AppArmor profile (package apparmor-profiles, profile bwrap-userns-restrict),",
  "or sysctl kernel.apparmor_restrict_unprivileged_userns=0.",
  "Debian 10 and older: sysctl kernel.unprivileged_userns_clone=1. If user.max_user_namespaces is 0, raise it.",
  "In a container: docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined,",
  "or let the container be what isolates.",
].join(" ");

/** The kernel reports only an error number; bubblewrap's text says which step failed. */
function adviceFor(printed: string): string {
  const isRefused = /namespace|uid map|permission|not permitted|no space left|can't mount proc|clone/i.test(printed);
  return isRefused ? namespaceAdvice : `Try it: bwrap --unshare-all --ro-bind / / true. ${elsewhereAdvice}`;
}
