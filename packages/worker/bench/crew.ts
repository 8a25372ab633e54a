import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Reading } from "./processes/serve.ts";

/** What processes did in a time. */
export interface Progress {
  /** A second, all together. */
  rate: number;
  count: number;
  /** Conversations that ended. */
  ended: number;
  /** Milliseconds of processor time, all together. */
  cpu: number;
}

/** Processes that do the same on one database. */
export class Crew {
  readonly #members: ChildProcess[];

  private constructor(members: ChildProcess[]) {
    this.#members = members;
  }

  /** Resolves when all are ready to begin. */
  static async start(count: number, file: string, options: object): Promise<Crew> {
    const path = fileURLToPath(new URL(`processes/${file}`, import.meta.url));
    const members = Array.from({ length: count }, () => fork(path, [JSON.stringify(options)], { execArgv: [] }));
    const crew = new Crew(members);
    await Promise.all(members.map((member) => answer(member)));
    return crew;
  }

  go(): void {
    for (const member of this.#members) member.send("go");
  }

  async read(): Promise<Reading[]> {
    return Promise.all(
      this.#members.map((member) => {
        member.send("read");
        return answer(member);
      }),
    );
  }

  /** What they do in so many milliseconds from now. */
  async during(milliseconds: number): Promise<Progress> {
    const before = await this.read();
    await setTimeout(milliseconds);
    const after = await this.read();
    const progress = { rate: 0, count: 0, ended: 0, cpu: 0 };
    for (const [index, { count, ended, at, cpu }] of after.entries()) {
      const first = before[index] as Reading;
      progress.rate += (1000 * (count - first.count)) / (at - first.at);
      progress.count += count - first.count;
      progress.ended += ended - first.ended;
      progress.cpu += cpu - first.cpu;
    }
    return progress;
  }

  async end(): Promise<void> {
    await Promise.all(
      this.#members.map(async (member) => {
        if (member.exitCode !== null || member.signalCode !== null) return;
        const exit = once(member, "exit");
        member.kill("SIGKILL");
        await exit;
      }),
    );
  }
}

async function answer(member: ChildProcess): Promise<Reading> {
  const answered = new AbortController();
  const ended = once(member, "exit", answered).then(() => {
    throw new Error("A process of the benchmark ended too early.");
  });
  try {
    const [reading] = await Promise.race([once(member, "message", answered), ended]);
    return reading;
  } finally {
    ended.catch(() => {});
    answered.abort();
  }
}
