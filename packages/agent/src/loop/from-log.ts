import type { MessageForm } from "@cogency/protocol";

/** How assembly makes the messages of a request from the whole log. */
export interface FromLog {
  readonly form: MessageForm;
  /** The ids of calls that are left out, if there are any. */
  readonly without?: readonly string[];
}
