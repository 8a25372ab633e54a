import type { AgentHook, Capability } from "@cogency/agent";
import type { JsonObject } from "@cogency/protocol";
import { checkOptions, oneOf, whole } from "@cogency/protocol/options";
import type { StoredEvent } from "@cogency/storage";
import { afterOtherHooks, answerOf } from "./answer-of.ts";
import { CallsLeft } from "./calls-left.ts";
import { NotRecordedError } from "./not-recorded-error.ts";
import { type RecordedCall, recordedCallsOf } from "./recorded-calls-of.ts";

export interface RecordedCallsOptions {
  /** Only calls of events with a higher number answer. Defaults to 0: all calls of the log. */
  after?: number | undefined;
  /**
   * What becomes of a call that the record does not have: `"fail"`, the default: it fails with a NotRecordedError, which the model reads;
   * `"run"`: its tool runs.
   */
  missing?: "fail" | "run" | undefined;
}

/** What a call of a run got from the record. */
export interface CallUse {
  /** The id of the call in the new run. */
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  /** The recorded call that answered it; undefined if the record has none with this name and these arguments that is left. */
  readonly recorded: RecordedCall | undefined;
}

/** A record that answers calls. */
export interface RecordedCalls {
  /** For `agent.use`: its hook answers each call in place of the tool's body. */
  readonly capability: Capability;
  /** Every call that was looked up so far, in that order. */
  uses(): readonly CallUse[];
  /** The recorded calls that have a result and answered nothing so far. */
  unused(): readonly RecordedCall[];
}

/**
 * Answers calls from a log: a call gets the result of the first recorded one that has the same name and the same arguments (as canonical
 * JSON) and has answered no other call. Each recorded call answers once; a call that goes on after a question keeps its answer. Checks
 * and approval of a call happen as always, only its body does not run.
 *
 * One agent, one run at a time: make another record for each run that is to have all answers.
 *
 * @throws TypeError, RangeError for wrong options
 */
export function recordedCalls(log: readonly StoredEvent[], options: RecordedCallsOptions = {}): RecordedCalls {
  checkOptions<RecordedCallsOptions>("recordedCalls", options, { after: whole(0), missing: oneOf("fail", "run") });
  const { after = 0, missing = "fail" } = options;
  // What the model wrote and what ran after a hook had changed it are one call.
  const left = new CallsLeft<RecordedCall>(({ name, args, written }) => ({ name, args, other: written }));
  left.add(recordedCallsOf(log).filter(({ seq, result }) => seq > after && result !== undefined));
  const uses = new Map<string, CallUse>();

  function use(id: string, name: string, args: JsonObject): CallUse {
    const given = uses.get(id);
    if (given) return given;
    const made: CallUse = { id, name, args, recorded: left.take({ name, args }) };
    uses.set(id, made);
    return made;
  }

  const hook: AgentHook = {
    name: "recorded-calls",
    priority: afterOtherHooks,
    beforeToolUse({ call, conversation }) {
      const { recorded } = use(`${conversation} ${call.id}`, call.name, call.args);
      if (recorded?.result) return { answer: answerOf(recorded.result) };
      if (missing === "run") return undefined;
      return { answer: { error: new NotRecordedError(call, left.has(call)) } };
    },
  };
  return {
    capability: { name: "recorded-calls", hooks: [hook] },
    uses: () => [...uses.values()].map((one) => ({ ...one, id: one.id.slice(one.id.lastIndexOf(" ") + 1) })),
    unused: () => left.all,
  };
}
