import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readlinkSync } from "node:fs";
import { text } from "node:stream/consumers";
import { ownedGroup } from "../../shell/run/end-with-owner.ts";
import type { Bubblewrap } from "../bubblewrap.ts";
import { systemMounts } from "../mounts/system-mounts.ts";

/** A network of its own that several commands enter. Its loopback is up, and nothing outside of it is reachable, nor it from outside. */
export interface PrivateNetwork {
  /** The words before `bwrap` that start it in this network. */
  readonly enter: readonly string[];
  /** @throws Error unless the process is in this network */
  check(pid: number): void;
  /** The kernel removes the network when the last process in it has ended. */
  close(): void;
}

/**
 * Makes a network that commands in a sandbox can share.
 *
 * A namespace lives as long as a process in it or an open descriptor of it. So nothing has to run to keep it, it is gone when this
 * process dies in whatever way, and no other process can take the place of one that it was named after.
 *
 * @throws Error that says why this machine has no such network
 */
export async function openPrivateNetwork(bubblewrap: Bubblewrap): Promise<PrivateNetwork> {
  const { nsenter } = bubblewrap;
  if (nsenter === undefined) throw new Error('"nsenter" of util-linux was not found');
  const { user, net } = await namespacesOfHelper(bubblewrap);
  const own = readlinkSync("/proc/self/ns/net");
  const identity = readlinkSync(`/proc/self/fd/${net}`);
  const at = (descriptor: number) => `/proc/${process.pid}/fd/${descriptor}`;
  // Without `--preserve-credentials` it would ask for groups that the namespace does not have.
  const enter = [nsenter, `--user=${at(user)}`, `--net=${at(net)}`, "--preserve-credentials", "--"];
  const network: PrivateNetwork = {
    enter,
    check(pid) {
      if (identity === own || readlinkSync(`/proc/${pid}/ns/net`) !== identity)
        throw new Error("the command is not in the network that it was to enter");
    },
    close() {
      closeSync(user);
      closeSync(net);
    },
  };
  try {
    await tryNetwork(network, bubblewrap);
    return network;
  } catch (error) {
    network.close();
    throw error;
  }
}

/** Milliseconds; a helper takes about 20. */
const longestHelper = 20_000;

/** Opens the namespaces of a helper process, which then ends. Its own user namespace owns its network. */
async function namespacesOfHelper({ program }: Bubblewrap): Promise<{ user: number; net: number }> {
  const args = ["--unshare-user", "--unshare-net", "--die-with-parent", "--cap-drop", "ALL", "--ro-bind", "/", "/"];
  const helper = spawn(program, [...args, "--json-status-fd", "3", "--", "/bin/cat"], {
    env: {},
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    timeout: longestHelper,
    detached: true,
  });
  const end = ownedGroup(helper);
  const [stdin, stdout, stderr, status] = helper.stdio;
  stdin?.on("error", () => {});
  const ended = endOf(helper);
  try {
    // It answers when its namespaces are complete.
    stdin?.write("\n");
    const isReady = new Promise<boolean>((resolve) => {
      stdout?.once("data", () => resolve(true));
      void ended.then(() => resolve(false));
    });
    const pid = new Promise<number>((resolve) => {
      let report = "";
      status?.on("data", (chunk) => {
        report += String(chunk);
        const named = /"child-pid": (\d+)/.exec(report)?.[1];
        if (named !== undefined) resolve(Number(named));
      });
    });
    if (!(await isReady)) throw new Error(`bubblewrap made no network (${await lastLineOf(stderr)})`);
    const folder = `/proc/${await pid}/ns`;
    const user = openSync(`${folder}/user`, "r");
    try {
      return { user, net: openSync(`${folder}/net`, "r") };
    } catch (error) {
      closeSync(user);
      throw error;
    }
  } finally {
    end();
    await ended;
  }
}

/** Starts a program in the network as a command would be started. */
async function tryNetwork(network: PrivateNetwork, { program, flags }: Bubblewrap): Promise<void> {
  const [file = "", ...words] = [...network.enter, program, ...flags, "--share-net", ...systemMounts()];
  const child = spawn(file, [...words, "--", "/bin/cat", "/dev/null"], {
    env: {},
    stdio: ["ignore", "ignore", "pipe"],
    timeout: longestHelper,
    detached: true,
  });
  const end = ownedGroup(child);
  const printed = lastLineOf(child.stderr);
  if ((await endOf(child).finally(end)) !== 0)
    throw new Error(`no program can enter another network here (${await printed})`);
}

/** Resolves with the exit code; undefined if it could not be started. */
function endOf(child: ChildProcess): Promise<number | null | undefined> {
  return new Promise((resolve) => {
    child.once("error", () => resolve(undefined));
    child.once("exit", (code) => resolve(code));
  });
}

async function lastLineOf(stream: NodeJS.ReadableStream | null | undefined): Promise<string> {
  const printed = stream ? await text(stream as AsyncIterable<Uint8Array>).catch(() => "") : "";
  return printed.trim().split("\n").at(-1)?.slice(0, 300) || "it printed nothing";
}
