import { callOf, type LogEvent, type UserEvent } from "@cogency/protocol";
import { noticeSources } from "@cogency/protocol/host";
import type { ToolExecution } from "@cogency/tools";

/** The source of notices that files have changed. */
export const filesSource = "files";

/** A time span in which a call of the conversation may have changed any file. Unix times in seconds. */
interface OwnSpan {
  readonly from: number;
  readonly to: number;
}

/** A call as far as the log tells of it. */
interface OpenCall {
  readonly name: string;
  readonly file: string | undefined;
}

/** The most files that are looked at: those that were read or written last. */
const mostFiles = 200;
/** The most spans that are kept. An older one lies before the last time that any of the files was seen. */
const mostSpans = 1000;
/** Seconds by which the clock of a file may lag or lead, and times are rounded. */
const slack = 0.01;

/**
 * Which files a conversation has read or written, and when, by its log. Times are those of the machine's clock: a change counts as one
 * from outside if it lies behind the last time that the conversation saw the file, and in no call of its own that may change files.
 */
export class SeenFiles {
  readonly #isReadOnly: (tool: string) => boolean;
  /** As the model names a file, with the time when its content was that which the model knows. The last seen stands last. */
  readonly #seen = new Map<string, number>();
  readonly #calls = new Map<string, OpenCall>();
  readonly #began = new Map<string, number>();
  #spans: OwnSpan[] = [];
  #toldAt = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(isReadOnly: (tool: string) => boolean) {
    this.#isReadOnly = isReadOnly;
  }

  /** The files as the model names them. */
  get files(): readonly string[] {
    return [...this.#seen.keys()];
  }

  /** Reads what is new in a log that only grows. */
  read(log: readonly LogEvent[]): void {
    for (const event of log.slice(this.#count)) this.#event(event);
    this.#count = log.length;
  }

  /** Reads calls of a step whose results are not in the log yet. */
  readCalls(executions: readonly ToolExecution[]): void {
    for (const { call, started, outcome, startedAt, completedAt } of executions)
      if (started) this.#ended(call.name, fileOf(call.args), startedAt, completedAt, outcome === "success");
  }

  /** Whether a change at this time is news: from outside, and not told. */
  isNews(file: string, changedAt: number): boolean {
    const since = Math.max(this.#seen.get(file) ?? Number.POSITIVE_INFINITY, this.#toldAt);
    if (changedAt <= since + slack) return false;
    return !this.#spans.some(({ from, to }) => changedAt >= from - slack && changedAt <= to + slack);
  }

  #event(event: LogEvent): void {
    if (event.type === "user") {
      if (isTold(event)) this.#toldAt = Math.max(this.#toldAt, event.timestamp);
    } else if (event.type === "call") {
      this.#call(event);
    } else if (event.type === "result") {
      // Calls of which the log does not say how they ended: their process was killed, or they do not run any more.
      for (const [id, { name, file }] of this.#calls) this.#end(id, name, file, event.timestamp, false);
      this.#calls.clear();
      this.#began.clear();
    } else if (event.type === "record" && event.kind === "started") {
      this.#began.set(event.data.id, event.timestamp);
    } else if (event.type === "record" && event.kind === "finished") {
      const { id, result } = event.data;
      const call = this.#calls.get(id);
      this.#calls.delete(id);
      if (call) this.#end(id, call.name, call.file, event.timestamp, result.status === "success");
    }
  }

  #call(event: Extract<LogEvent, { type: "call" }>): void {
    if (event.id === undefined) return;
    try {
      const { name, args } = callOf(event);
      this.#calls.set(event.id, { name, file: fileOf(args) });
    } catch {
      // A log from elsewhere may hold anything.
    }
  }

  #end(id: string, name: string, file: string | undefined, to: number, isDone: boolean): void {
    const from = this.#began.get(id);
    this.#began.delete(id);
    if (from !== undefined) this.#ended(name, file, from, to, isDone);
  }

  #ended(name: string, file: string | undefined, from: number, to: number, isDone: boolean): void {
    const isLook = this.#isReadOnly(name);
    if (!isLook) this.#spans = [...this.#spans.slice(1 - mostSpans), { from, to }];
    if (!isDone || file === undefined || !fileTools.has(name)) return;
    // What changes while a file is read may be what was read, or not.
    const seenAt = Math.max(isLook ? from : to, this.#seen.get(file) ?? 0);
    this.#seen.delete(file);
    this.#seen.set(file, seenAt);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > mostFiles && oldest !== undefined) this.#seen.delete(oldest);
  }
}

/** The tools whose argument `file` names a file that the model knows afterwards. */
const fileTools: ReadonlySet<string> = new Set(["read", "write", "edit"]);

function fileOf(args: Readonly<Record<string, unknown>>): string | undefined {
  return typeof args.file === "string" ? args.file : undefined;
}

function isTold(event: UserEvent): boolean {
  return noticeSources(event).some(({ source }) => source === filesSource);
}
