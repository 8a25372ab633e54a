import type { ToolCall } from "@cogency/protocol";

/** A call that a record was to answer, and that it does not have. The model reads the message as the result of the call. */
export class NotRecordedError extends Error {
  override readonly name = "NotRecordedError";
  readonly code = "not_recorded";
  readonly call: Pick<ToolCall, "name" | "args">;

  /** @param isUsedUp whether the record has such calls, all of which have answered other ones */
  constructor({ name, args }: Pick<ToolCall, "name" | "args">, isUsedUp = false) {
    super(
      isUsedUp
        ? `not recorded: ${name} did not run. Every recorded call with these arguments has answered an earlier call.`
        : `not recorded: ${name} did not run. Calls are answered from a record here, which has no result for these arguments.`,
    );
    this.call = { name, args };
  }
}
