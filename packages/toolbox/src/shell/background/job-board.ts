import { setTimeout as wait } from "node:timers/promises";
import type { LogEvent } from "@cogency/protocol";
import type { Key } from "@cogency/storage";
import { checkOptionsOf } from "../../options.ts";
import type { Forward } from "../../sandbox/network/forward.ts";
import type { PrivateNetwork } from "../../sandbox/network/private-network.ts";
import type { Sandbox } from "../../sandbox/open-sandbox.ts";
import { ShellError } from "../errors.ts";
import type { CommandOptions } from "../run/run-command.ts";
import { type EndedCommand, Job, type JobOptions } from "./job.ts";
import { endText } from "./job-result.ts";
import type { JobState, Jobs, JobsOptions } from "./jobs.ts";
import { goneNotice, jobsInLog, latestNumber } from "./jobs-in-log.ts";

/** Holds commands that run in the background. Without it `shell` starts none. */
export function openJobs(options: JobsOptions = {}): Jobs {
  checkOptionsOf("openJobs", options);
  return new JobBoard(options);
}

/** @param jobs what `openJobs` returned */
export function boardOf(jobs: Jobs): JobBoard {
  return jobs as JobBoard;
}

/** What a start needs. */
export interface JobStart extends Omit<JobOptions, "id"> {
  /** The log of the conversation, whose numbers are not used again. */
  events: readonly LogEvent[];
  /** Of the call. If it aborts before the command counts as running in the background, the command is ended. */
  signal: AbortSignal;
  run(
    options: Pick<CommandOptions, "signal" | "onStart" | "onChunk">,
    onAside: (aside: EndedCommand["aside"]) => void,
  ): Promise<EndedCommand>;
}

interface OwnJobs {
  readonly jobs: Map<string, Job>;
  readonly ports: Map<number, Promise<Forward>>;
  lastNumber: number;
  sandbox?: Sandbox;
  network?: Promise<PrivateNetwork>;
}

/** How many commands of a conversation may run in the background. */
const mostRunning = 8;
/** How many that have ended are kept. */
const mostEnded = 16;
/** Milliseconds in which a command that ends at once is an ordinary call. */
const settling = 1000;

export class JobBoard implements Jobs {
  readonly #conversations = new Map<string, OwnJobs>();
  readonly #listeners = new Set<() => void>();
  readonly #toOpen: readonly number[];
  readonly #warn: (message: string) => void;
  readonly #onEnd: NonNullable<JobsOptions["onEnd"]>;
  #wasOpened = false;

  constructor({ ports = [], warn = console.warn, onEnd = () => {} }: JobsOptions = {}) {
    this.#toOpen = [...new Set(ports)];
    this.#warn = warn;
    this.#onEnd = onEnd;
  }

  /** Whether a port was ever open: other programs of the machine, and pages in its browser, could send text to what runs. */
  get wasOpened(): boolean {
    return this.#wasOpened;
  }

  of(key: Key): JobState[] {
    const jobs = [...(this.#conversations.get(nameOf(key))?.jobs.values() ?? [])];
    return jobs.map(stateOf);
  }

  /** @throws ShellError `job_unknown` @param events the log of the conversation */
  job(key: Key, id: string, events: readonly LogEvent[] = []): Job {
    const jobs = this.#conversations.get(nameOf(key))?.jobs;
    const job = jobs?.get(id);
    if (job !== undefined) return job;
    if (jobsInLog(events).has(id)) {
      const why = "when the conversation was left, or with the process that had started it";
      throw new ShellError("job_unknown", id, `${id} ended ${why}; start it again if it is needed.`);
    }
    const known = [...(jobs?.keys() ?? [])].join(", ");
    const advice = known === "" ? "Nothing was started in the background." : `There are: ${known}.`;
    throw new ShellError("job_unknown", id, `There is no command "${id.slice(0, 60)}" in the background. ${advice}`);
  }

  /**
   * Starts a command. Resolves after a second with the job, or as soon as the command has ended: then it is no job.
   *
   * @throws ShellError `jobs_full`; what `run` throws within that time; the reason of the signal
   */
  async start(key: Key, given: JobStart): Promise<{ job: Job } | EndedCommand> {
    const { events, signal, run, ...options } = given;
    const own = this.#own(key);
    const running = [...own.jobs.values()].filter(({ end }) => end === undefined).map(({ id }) => id);
    if (running.length >= mostRunning) {
      const message = `At most ${mostRunning} commands run in the background: end one with shell_stop. There are: ${running.join(", ")}.`;
      throw new ShellError("jobs_full", options.command, message);
    }
    own.lastNumber = 1 + Math.max(own.lastNumber, latestNumber(events));
    const job = new Job({ id: `job_${own.lastNumber}`, ...options });
    job.isUntrusted ||= this.#wasOpened;
    own.jobs.set(job.id, job);
    const begun = Promise.withResolvers<void>();
    let isInBackground = false;
    const onChunk: CommandOptions["onChunk"] = (stream, chunk) => job.add(stream, chunk);
    const onAside = (aside: EndedCommand["aside"]) => {
      job.aside = aside;
    };
    void run({ signal: job.signal, onStart: begun.resolve, onChunk }, onAside)
      .catch((problem: unknown) => ({ problem }))
      .then((end) => {
        const isAwaited = job.isAwaited;
        job.hasEnded(end);
        this.#changed();
        if (isInBackground && !isAwaited && !job.signal.aborted) this.#tellEnd(key, job);
      });
    this.#changed();
    const onAbort = () => void job.stop(signal.reason);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    await Promise.race([job.ended, begun.promise.then(() => wait(settling))]);
    signal.removeEventListener("abort", onAbort);
    if (signal.aborted) await job.stop();
    if (job.end === undefined) {
      isInBackground = true;
      forgetEnded(own);
      return { job };
    }
    own.jobs.delete(job.id);
    this.#changed();
    if ("problem" in job.end) throw job.end.problem;
    return job.end;
  }

  async stop(key: Key, id: string): Promise<void> {
    await this.job(key, id).stop();
  }

  async end(key: Key): Promise<number> {
    const own = this.#conversations.get(nameOf(key));
    if (own === undefined) return 0;
    this.#conversations.delete(nameOf(key));
    const running = [...own.jobs.values()].filter(({ end }) => end === undefined);
    const ports = [...own.ports.values()].map((opened) => opened.then((port) => port.close()).catch(() => {}));
    await Promise.all([...running.map((job) => job.stop()), ...ports]);
    (await own.network?.catch(() => undefined))?.close();
    this.#changed();
    return running.length;
  }

  async endAll(): Promise<number> {
    const keys = [...this.#conversations.keys()].map(keyOf);
    const counts = await Promise.all(keys.map((key) => this.end(key)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /**
   * The network that the commands of a conversation share, which is made when the first one runs in the background, with the ports
   * that are to be open.
   *
   * @throws Error that says why this machine has none; the next call tries again
   */
  async network(key: Key, sandbox: Sandbox): Promise<PrivateNetwork> {
    const own = this.#own(key);
    own.sandbox = sandbox;
    const network = own.network ?? sandbox.openNetwork();
    own.network = network;
    try {
      await network;
    } catch (error) {
      if (own.network === network) delete own.network;
      throw error;
    }
    for (const port of this.#toOpen) {
      await this.openPort(key, port).catch((error: unknown) => this.#warn((error as Error).message));
    }
    return network;
  }

  /** The network for another command, while one runs in it in the background. */
  async sharedNetwork(key: Key): Promise<PrivateNetwork | undefined> {
    const own = this.#conversations.get(nameOf(key));
    const isShared = [...(own?.jobs.values() ?? [])].some(({ end, apart }) => end === undefined && apart === undefined);
    return isShared ? await own?.network : undefined;
  }

  async openPort(key: Key, port: number): Promise<void> {
    const own = this.#conversations.get(nameOf(key));
    const network = await own?.network?.catch(() => undefined);
    const refused = (why: string, cause?: unknown) =>
      new ShellError("port_unavailable", String(port), `The port ${port} was not opened: ${why}`, { cause });
    if (own?.sandbox === undefined || network === undefined) {
      const otherwise = "Without a sandbox, and with all of the network, what it listens on is open already.";
      throw refused(`no command runs in the background in a network of its own. ${otherwise}`);
    }
    // Calls of one moment open it once.
    const opened = own.ports.get(port) ?? own.sandbox.openForward(network, port);
    own.ports.set(port, opened);
    try {
      await opened;
      this.#wasOpened = true;
      for (const job of own.jobs.values()) job.isUntrusted = true;
    } catch (cause) {
      if (own.ports.get(port) === opened) own.ports.delete(port);
      throw refused(`${cause instanceof Error ? cause.message : String(cause)}.`, cause);
    }
    this.#changed();
  }

  ports(key: Key): number[] {
    return [...(this.#conversations.get(nameOf(key))?.ports.keys() ?? [])];
  }

  notice(key: Key, events: readonly LogEvent[]): string | undefined {
    const here = this.#conversations.get(nameOf(key))?.jobs;
    const gone = [...jobsInLog(events).values()].filter(({ id, isOver }) => !isOver && !here?.has(id));
    return gone.length > 0 ? goneNotice(gone) : undefined;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #own(key: Key): OwnJobs {
    const known = this.#conversations.get(nameOf(key));
    if (known) return known;
    const own: OwnJobs = { jobs: new Map(), ports: new Map(), lastNumber: 0 };
    this.#conversations.set(nameOf(key), own);
    return own;
  }

  #tellEnd({ conversation, user }: Key, job: Job): void {
    try {
      this.#onEnd({ conversation, user }, stateOf(job));
    } catch {
      // The host's own business.
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function stateOf({ id, command, seconds, end, lastLine }: Job): JobState {
  return { id, command, seconds, lastLine, ended: end && endText(end) };
}

/** Conversations of two users may have the same name. */
function nameOf({ conversation, user }: Key): string {
  return JSON.stringify([conversation, user]);
}

function keyOf(name: string): Key {
  const [conversation, user] = JSON.parse(name) as [string, string | null];
  return { conversation, user: user ?? undefined };
}

function forgetEnded({ jobs }: OwnJobs): void {
  const ended = [...jobs.values()].filter(({ end }) => end !== undefined);
  for (const { id } of ended.slice(0, Math.max(0, ended.length - mostEnded))) jobs.delete(id);
}
