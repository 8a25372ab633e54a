import { brandErrors, hasErrorBrand } from "@cogency/protocol/host";

/**
 * - `agent_unknown`: the model named an agent that is not defined, or that no call of the conversation has started
 * - `too_deep`: an agent at the greatest depth may start no other one
 * - `too_many`: enough agents work in the background already, or the one that asks may start none there
 * - `agent_failed`: the agent could not come to an end; the message says why
 * - `no_run`: the tool was called outside of the run of an agent
 */
export type SubagentErrorCode = "agent_unknown" | "too_deep" | "too_many" | "agent_failed" | "no_run";

/** Why a call of the tool `agent` or `agent_result` failed. */
export class SubagentError extends Error {
  static {
    brandErrors(SubagentError, "SubagentError");
  }

  override readonly name = "SubagentError";
  readonly code: SubagentErrorCode;

  constructor(code: SubagentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether it is a SubagentError, also one of another copy of `@cogency/subagents`. */
export function isSubagentError(value: unknown): value is SubagentError {
  return hasErrorBrand(value, "SubagentError");
}
