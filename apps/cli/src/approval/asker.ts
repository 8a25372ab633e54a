import type { ApprovalRequest } from "@cogency/tools";

/** Asks the person who is there. */
export interface Asker {
  /** Whether an answer can still come. */
  canAnswer(): boolean;
  /**
   * Shows all that will run, and resolves with what the person says. `canBeAlways`: the answer may also stand for further calls of
   * this tool in this run. Ends as refused when `signal` of the request aborts.
   */
  ask(request: ApprovalRequest, canBeAlways: boolean): Promise<PersonAnswer>;
}

export interface PersonAnswer {
  approved: boolean;
  /** The answer stands for all further calls of the tool in this run. */
  always?: boolean;
  /** Why not. The model reads it. */
  reason?: string;
}
