import { setTimeout as wait } from "node:timers/promises";
import type { LiveOutput } from "../run/live-output.ts";
import type { CommandEnd } from "../run/run-command.ts";
import { createLines, type LineTest } from "./lines.ts";
import { createUnreadOutput } from "./unread-output.ts";

export interface JobOptions {
  id: string;
  command: string;
  /** Why later calls cannot reach what it listens on; undefined if they can. */
  apart: string | undefined;
  /** Whether it may print text that no person vouched for. */
  isUntrusted: boolean;
  /** Bytes kept of each stream between two looks. */
  maxOutputBytes: number;
}

/** A command that runs in the background of a conversation, or has ended there. */
export class Job {
  readonly id: string;
  readonly command: string;
  /** Why later calls cannot reach what it listens on; undefined if they can. */
  readonly apart: string | undefined;
  /** Whether it may print text that no person vouched for. */
  isUntrusted: boolean;
  /** What the sandbox has set aside until now, as it is shown. */
  aside: EndedCommand["aside"] = {};
  /** Resolves when it has ended, and never rejects. */
  readonly ended: Promise<void>;
  #end: JobEnd | undefined;
  #endedAt: number | undefined;
  readonly #startedAt = performance.now();
  readonly #streams: Readonly<Record<LiveOutput["stream"], ReturnType<typeof streamOf>>>;
  readonly #stop = new AbortController();
  readonly #listeners = new Set<(lines: readonly string[]) => void>();
  #lastLine = "";
  #looks = 0;
  #shownAtStart: string[] = [];

  readonly #ended = Promise.withResolvers<void>();

  constructor({ id, command, apart, isUntrusted, maxOutputBytes }: JobOptions) {
    this.id = id;
    this.command = command;
    this.apart = apart;
    this.isUntrusted = isUntrusted;
    this.ended = this.#ended.promise;
    this.#streams = { stdout: streamOf(maxOutputBytes), stderr: streamOf(maxOutputBytes) };
  }

  /** Aborts when it is to end. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Undefined while it runs. */
  get end(): JobEnd | undefined {
    return this.#end;
  }

  /** Whether somebody waits for a line of it, or for its end. */
  get isAwaited(): boolean {
    return this.#listeners.size > 0;
  }

  /** How long it has run, or ran. */
  get seconds(): number {
    return ((this.#endedAt ?? performance.now()) - this.#startedAt) / 1000;
  }

  get lastLine(): string {
    return this.#lastLine;
  }

  add(stream: LiveOutput["stream"], chunk: Uint8Array): void {
    const { unread, lines } = this.#streams[stream];
    unread.add(chunk);
    const added = lines.add(chunk);
    this.#lastLine = lines.last || this.#lastLine;
    for (const listen of this.#listeners) listen(added);
  }

  hasEnded(end: JobEnd): void {
    this.#end = end;
    this.#endedAt = performance.now();
    this.#ended.resolve();
  }

  /** What it has printed since the last look, which this one is now. */
  take() {
    // Who waits for a line first thing after the start means also one that the start has shown.
    this.#shownAtStart = this.#looks++ === 0 ? this.#unread() : [];
    return { stdout: this.#streams.stdout.unread.take(), stderr: this.#streams.stderr.unread.take() };
  }

  /**
   * Resolves with a line that passes the test and was printed since the last look, or, at the first one, since the start; with undefined when the command has ended, or
   * `milliseconds` have passed.
   *
   * @throws the reason of `signal`; what the test throws
   */
  async lineWith(test: LineTest | undefined, milliseconds: number, signal: AbortSignal): Promise<string | undefined> {
    const printed = [...this.#shownAtStart, ...this.#unread()].flatMap((text) => text.split(/\r\n|[\r\n]/));
    const found = test && printed.find(test);
    if (found !== undefined || this.#end !== undefined) return found;
    const over = new AbortController();
    let listen = (_: readonly string[]) => {};
    const line = new Promise<string>((resolve, reject) => {
      listen = (lines) => {
        try {
          const match = test && lines.find(test);
          if (match !== undefined) resolve(match);
        } catch (error) {
          reject(error);
        }
      };
    });
    this.#listeners.add(listen);
    try {
      const limit = wait(milliseconds, undefined, { signal: AbortSignal.any([signal, over.signal]) });
      limit.catch(() => {});
      return await Promise.race([line, this.ended.then(() => undefined), limit]);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      this.#listeners.delete(listen);
      over.abort();
    }
  }

  #unread(): string[] {
    return [this.#streams.stdout, this.#streams.stderr].map(({ unread }) => unread.peek().text);
  }

  /** Ends it with all that it has started. Resolves when it has ended. */
  async stop(why: unknown = new DOMException("The command in the background was ended.", "AbortError")): Promise<void> {
    this.#stop.abort(why);
    await this.ended;
  }
}

/** How a command in the background ended. `problem` is why it could not run to its end, such as a sandbox that could not be made. */
export type JobEnd = EndedCommand | { readonly problem: unknown };

export interface EndedCommand {
  readonly end: CommandEnd;
  /** What the sandbox has set aside, as it is shown. */
  readonly aside: { readonly setAside?: string[]; readonly runsLater?: string[]; readonly note?: string };
}

function streamOf(limit: number) {
  return { unread: createUnreadOutput(limit), lines: createLines() };
}
