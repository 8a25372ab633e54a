import type { RunOptions } from "@cogency/agent";
import type { Json } from "@cogency/protocol";
import { checkOptions, flag, whole } from "@cogency/protocol/options";
import type { StoredEvent } from "@cogency/storage";
import { argumentsHash } from "@cogency/tools/host";
import { recordedCallsOf } from "./recorded-calls-of.ts";

export interface RecordedAnswersOptions {
  /** Only answers of events with a higher number count. Defaults to 0: all answers of the log. */
  after?: number | undefined;
  /**
   * Whether a call that ran without a question in the log is approved where it asks now. Defaults to false. Safe only where no tool
   * really runs.
   */
  allowRan?: boolean | undefined;
}

/** `approve` and `answer` of a run: what a person answered in a log is answered again. */
export interface RecordedAnswers {
  readonly approve: NonNullable<RunOptions["approve"]>;
  readonly answer: NonNullable<RunOptions["answer"]>;
}

/**
 * Answers questions as a person did in a log: whether a call may run by its name and arguments, what its body asks also by the words of
 * the question. The first answer to the same question is given first, and the last one again and again. A call without such an answer is
 * denied, and a question of a tool fails.
 *
 * @throws TypeError, RangeError for wrong options
 */
export function recordedAnswers(log: readonly StoredEvent[], options: RecordedAnswersOptions = {}): RecordedAnswers {
  checkOptions<RecordedAnswersOptions>("recordedAnswers", options, { after: whole(0), allowRan: flag });
  const { after = 0, allowRan = false } = options;
  const { approvals, answers } = answersIn(log.filter(({ seq }) => seq > after));
  const ran = new Set<string>();
  const hashing = allowRan
    ? recordedCallsOf(log).map(async ({ began, seq, name, args }) => {
        if (began && seq > after) ran.add(keyOf(name, await argumentsHash(args)));
      })
    : [];
  return {
    async approve({ call, hash }) {
      await Promise.all(hashing);
      const key = keyOf(call.name, hash);
      const given = next(approvals, key);
      if (given) return given;
      if (ran.has(key)) return true;
      return { approved: false, reason: "no person is asked here, and the record has no answer to this question" };
    },
    async answer({ call, message }) {
      const key = keyOf(call.name, await argumentsHash(call.args), message);
      const given = next(answers, key);
      if (given) return given.content;
      throw new Error("No person is asked here, and the record has no answer to this question.");
    },
  };
}

type Approval = { approved: true } | { approved: false; reason: string };

function answersIn(log: readonly StoredEvent[]) {
  const approvals = new Map<string, Approval[]>();
  const answers = new Map<string, { content: Json }[]>();
  const asked = new Map<string, string>();
  for (const event of log) {
    if (event.type !== "record" || typeof event.data !== "object" || event.data === null) continue;
    if (event.kind === "approval" && event.data.status !== "asked") {
      const { name, hash, status, reason = "a person denied the recorded call" } = event.data;
      const approved = status === "approved";
      add(approvals, keyOf(name, hash), approved ? { approved } : { approved, reason: String(reason) });
    }
    if (event.kind === "question" && event.data.asks === "answer") {
      const { id, name, hash, message } = event.data;
      asked.set(id, keyOf(name, hash, message));
    }
    const key = event.kind === "answer" ? asked.get(event.data.question) : undefined;
    if (key !== undefined && event.kind === "answer") add(answers, key, { content: event.data.content });
  }
  return { approvals, answers };
}

function add<Value>(all: Map<string, Value[]>, key: string, value: Value): void {
  all.set(key, [...(all.get(key) ?? []), value]);
}

function next<Value>(all: Map<string, Value[]>, key: string): Value | undefined {
  const values = all.get(key);
  return values && values.length > 1 ? values.shift() : values?.[0];
}

function keyOf(...parts: readonly (string | undefined)[]): string {
  return JSON.stringify(parts);
}
