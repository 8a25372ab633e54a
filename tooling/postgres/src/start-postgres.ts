import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "@tooling/loopback";
import { dataHome } from "./data-home.ts";
import { findPostgres } from "./find-postgres.ts";
import { killTree } from "./kill-tree.ts";
import { serverAccount } from "./server-account.ts";

export interface PostgresOptions {
  /** Whether a commit waits for the disk; false by default, which is enough for whatever but the machine is killed. */
  durable?: boolean;
  /** Settings as in postgresql.conf. */
  settings?: Readonly<Record<string, string | number>>;
}

/** `fast` ends every connection, `immediate` is a crash with a farewell, `kill` is SIGKILL to all processes of it. */
export type PostgresEnding = "fast" | "immediate" | "kill";

/** A PostgreSQL server of one's own, on 127.0.0.1. */
export interface PostgresServer {
  /** The address of the database `postgres`, with the superuser's name and password. */
  readonly url: string;
  readonly port: number;
  /** Of the process that accepts connections; another after every start. */
  readonly pid: number;
  /** Ends the server; its data stays. */
  halt(how: PostgresEnding): Promise<void>;
  /** Starts it again after `halt`, on the same port, and waits until it accepts connections. */
  start(): Promise<void>;
  /** `halt` and `start`. */
  restart(how: PostgresEnding): Promise<void>;
  /** What the server has written about itself so far. */
  log(): string;
  /** Ends the server and removes its data. Calling it again does nothing. */
  stop(): Promise<void>;
}

/**
 * Starts the newest PostgreSQL of this machine on data of its own. It ends with `stop`, and when this process ends,
 * however it does.
 *
 * @throws Error if no PostgreSQL is installed, or it does not start; the message says what to do
 */
export async function startPostgres({ durable = false, settings }: PostgresOptions = {}): Promise<PostgresServer> {
  const binaries = findPostgres();
  if (binaries === undefined) throw new Error(`PostgreSQL was not found. ${howToInstall}`);
  const account = serverAccount();
  const folder = mkdtempSync(join(dataHome(durable), "cogency-postgres-"));
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid);
  const watchdog = watch(folder);
  const data = join(folder, "data");
  const logFile = join(folder, "log");
  const password = randomBytes(12).toString("hex");
  const port = await freePort();
  let server: ChildProcess | undefined;

  try {
    await initialize(join(binaries, "initdb"), data, password, account);
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    port,
    get pid() {
      return Number(server?.pid);
    },
    halt,
    start,
    restart: async (how) => {
      await halt(how);
      await start();
    },
    log: () => readFileSync(logFile, "utf8"),
    stop,
  };

  async function start(): Promise<void> {
    const deadline = performance.now() + 60_000;
    // Backends of a server that was killed may hold its memory for a moment longer than it lived.
    while ((await launch(deadline)).includes("shared memory block") && performance.now() < deadline)
      await setTimeout(50);
    if (server && !hasEnded(server)) return;
    throw new Error(`PostgreSQL did not start. Its log ends:\n${readFileSync(logFile, "utf8").slice(-2000)}`);
  }

  /** Returns what a server that did not start has logged; nothing for one that did. */
  async function launch(deadline: number): Promise<string> {
    const output = openSync(logFile, "a");
    const logged = readFileSync(logFile, "utf8").length;
    const all = {
      port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: folder,
      max_connections: 200,
      ...(durable ? {} : { fsync: "off", full_page_writes: "off" }),
      ...settings,
    };
    const parameters = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(join(binaries ?? "", "postgres"), ["-D", data, ...parameters], {
      ...account,
      cwd: folder,
      env: environment(),
      stdio: ["ignore", output, output],
      detached: true, // Ctrl-C in a terminal is for the tests, which then stop it
    });
    closeSync(output);
    child.unref();
    server = child;
    while (!isReady(data, child.pid)) {
      if (hasEnded(child)) return readFileSync(logFile, "utf8").slice(logged);
      if (performance.now() > deadline) throw new Error(`PostgreSQL did not start within a minute; see ${logFile}.`);
      await setTimeout(20);
    }
    return "";
  }

  async function halt(how: PostgresEnding): Promise<void> {
    if (!server?.pid || hasEnded(server)) return;
    server.ref();
    const ended = once(server, "exit");
    if (how === "kill") killTree(server.pid);
    else server.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await ended;
  }

  async function stop(): Promise<void> {
    await halt("immediate");
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    watchdog.stdin?.destroy();
  }
}

/** What somebody without PostgreSQL can do. */
export const howToInstall =
  "Install its server (Debian and Ubuntu: apt-get install postgresql), or name a running one in COGENCY_TEST_POSTGRES=postgres://user:password@host:port/database.";

function watch(folder: string): ChildProcess {
  const watchdog = spawn(process.execPath, [fileURLToPath(new URL("watchdog.ts", import.meta.url)), folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watchdog.unref();
  watchdog.stdin.on("error", () => {});
  return watchdog;
}

async function initialize(
  initdb: string,
  data: string,
  password: string,
  account: { uid?: number; gid?: number },
): Promise<void> {
  const passwordFile = `${data}-password`;
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(passwordFile, account.uid, account.gid);
  const identity = ["--username=postgres", `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
  const rest = ["--encoding=UTF8", "--locale=C", "--no-sync"];
  await promisify(execFile)(initdb, ["-D", data, ...identity, ...rest], { ...account, cwd: "/", env: environment() });
  rmSync(passwordFile);
}

/** Settings such as PGPORT and PGOPTIONS of whoever runs the tests are not for this server. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(own), LC_ALL: "C" };
}

/** The server says so in the last line of its lock file; that of a server that was killed has another first line. */
function isReady(data: string, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    return lines[0] === String(pid) && lines[7]?.trim() === "ready";
  } catch {
    return false;
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
