import type { ApprovalRequest } from "@cogency/tools";
import type { Doubt } from "../../place/definitions/known-definitions.ts";

/** A rule that a person may choose instead of a single yes. */
export interface OfferedRule {
  /** Such as `shell:git status` or `write:docs/**`; see `allowRules`. */
  readonly text: string;
  /** For a script, the rules that make up `text`: one for each command and file that no rule allowed. */
  readonly rules?: readonly string[];
  /** The file of rules that it is added to where it shall count always, as a person may open it. */
  readonly file: string;
}

/** A question, where the server of its tool is from, and what has become of the definition. */
export interface DoubtedRequest extends ApprovalRequest {
  readonly place?: string | undefined;
  readonly doubt?: Doubt | undefined;
}

/** Asks the person who is there. */
export interface Asker {
  /** Whether an answer can still come. */
  canAnswer(): boolean;
  /**
   * Shows all that will run, and resolves with what the person says. Ends as refused when `signal` of the request aborts.
   *
   * @param offered none, a rule for this command, file or host, or that and one for more like it
   */
  ask(request: DoubtedRequest, offered: readonly OfferedRule[]): Promise<PersonAnswer>;
}

/** How long a rule counts: until the session ends, or from now on, in every process that works in this folder. */
export type RuleTerm = "session" | "always";

export interface PersonAnswer {
  approved: boolean;
  /** One of the offered rules: the answer stands for all further calls that it names. */
  rule?: OfferedRule;
  /** How long the rule counts. Defaults to `session`. */
  term?: RuleTerm;
  /** Why not. The model reads it. */
  reason?: string;
}
