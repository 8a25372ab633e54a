import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Report, WorkerProcessOptions } from "./worker-process.ts";

/** How a worker was struck whose conversations others took over. */
export type Blow = "kill" | "freeze";

/** What else keeps others from taking over. */
type Circumstance = "" | ", near a restart of the database" | ", with too few free places elsewhere";

interface Orphan {
  /** By `performance.now()`. */
  at: number;
  blow: Blow;
  of: Member;
  /** Whether the others that ran then had a place for each conversation of the one that was struck. */
  hasPlace: boolean;
}

/** After a restart of the server, its stores wait so many milliseconds for each other before they end what seems to be left. */
const graceOfRestart = 5000;

/** Workers in processes of their own, and what they report. */
export class Fleet {
  /** Milliseconds from the blow until another worker claimed a conversation of the one that was struck. */
  readonly takeovers = new Map<`${Blow}${Circumstance}`, number[]>();
  /** Milliseconds from SIGTERM to the end of the process. */
  readonly drains: number[] = [];
  readonly counts = { claimed: 0, attended: 0, handedOver: 0, trouble: 0, parked: 0 };
  /** How often each error of a run was reported. */
  readonly errors = new Map<string, number>();
  readonly #options: Omit<WorkerProcessOptions, "owner">;
  readonly #members = new Set<Member>();
  /** Conversations of workers that were struck, until another worker claims them. */
  readonly #orphans = new Map<string, Orphan>();
  #started = 0;
  /** By `performance.now()`, when the server was last told to restart and when it was there again. It may have been started just now. */
  #restart = { from: performance.now(), to: performance.now() };

  constructor(options: Omit<WorkerProcessOptions, "owner">) {
    this.#options = options;
  }

  get members(): readonly Member[] {
    return [...this.#members];
  }

  /** Starts one more. */
  async start(): Promise<Member> {
    const owner = `worker-${++this.#started}`;
    const file = fileURLToPath(new URL("worker-process.ts", import.meta.url));
    const options: WorkerProcessOptions = { ...this.#options, owner };
    const child = spawn(process.execPath, [file, JSON.stringify(options)], { stdio: ["pipe", "pipe", "inherit"] });
    const member = new Member(child, owner);
    this.#members.add(member);
    child.once("exit", () => this.#members.delete(member));
    const begun = Promise.withResolvers<void>();
    child.once("exit", () => begun.resolve());
    createInterface(child.stdout).on("line", (line) => {
      const report: Report = JSON.parse(line);
      if (report.type === "begun") begun.resolve();
      this.#hear(member, report);
    });
    await begun.promise;
    return member;
  }

  /** Another worker has to take over what this one does now. */
  strike(member: Member, blow: Blow): void {
    const at = performance.now();
    const others = this.members.filter((other) => other !== member && !other.isFrozen);
    const free = others.reduce((sum, { running }) => sum + this.#options.concurrency - running.size, 0);
    const hasPlace = free >= member.running.size;
    for (const conversation of member.running) this.#orphans.set(conversation, { at, blow, of: member, hasPlace });
    member.child.kill(blow === "kill" ? "SIGKILL" : "SIGSTOP");
  }

  /** Ends one as an upgrade does. */
  async drain(member: Member): Promise<void> {
    const at = performance.now();
    await member.end("SIGTERM");
    this.drains.push(performance.now() - at);
  }

  /** Tells when the server of the database restarts. */
  async restarting(restart: () => Promise<void>): Promise<void> {
    this.#restart = { from: performance.now(), to: Number.POSITIVE_INFINITY };
    await restart();
    this.#restart.to = performance.now();
  }

  /** Ends all, at once. */
  async end(): Promise<void> {
    await Promise.all(this.members.map((member) => member.end("SIGKILL")));
  }

  #hear(member: Member, report: Report): void {
    if (report.type === "claimed") {
      const { conversation } = report;
      this.counts.claimed++;
      member.running.add(conversation);
      const orphan = this.#orphans.get(conversation);
      if (orphan && orphan.of !== member) {
        const took = performance.now() - orphan.at;
        const kind = `${orphan.blow}${this.#circumstanceOf(orphan)}` as const;
        this.takeovers.set(kind, [...(this.takeovers.get(kind) ?? []), took]);
        this.#orphans.delete(conversation);
      }
    } else if (report.type === "attended") {
      const { conversation, verdict, error } = report;
      this.counts.attended++;
      if (verdict === "again handed_over") this.counts.handedOver++;
      if (error !== undefined) this.#count(error);
      member.running.delete(conversation);
    } else if (report.type === "trouble") {
      this.counts.trouble++;
      this.#count(report.what);
    } else if (report.type === "parked") this.counts.parked++;
  }

  #circumstanceOf({ at, hasPlace }: Orphan): Circumstance {
    if (this.#restart.to + graceOfRestart > at) return ", near a restart of the database";
    return hasPlace ? "" : ", with too few free places elsewhere";
  }

  /** Names and times aside. */
  #count(error: string): void {
    const what = error.replace(/"[^"]*"|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…");
    this.errors.set(what, (this.errors.get(what) ?? 0) + 1);
  }
}

export class Member {
  readonly child: ChildProcess;
  readonly owner: string;
  /** Its conversations at the moment. */
  readonly running = new Set<string>();
  isFrozen = false;

  constructor(child: ChildProcess, owner: string) {
    this.child = child;
    this.owner = owner;
  }

  /** Sends the signal and waits until the process has ended. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, "exit");
    this.child.kill(signal);
    // A frozen process hears SIGTERM when it goes on.
    if (this.isFrozen) this.child.kill("SIGCONT");
    await exit;
  }
}
