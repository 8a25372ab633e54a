import type { Json, JsonObject, JsonSchema, Proof } from "@cogency/protocol";
import type { Concern } from "../approval/approval.ts";

/**
 * A logged question about one call. It stands until a record with its id answers it: an `ApprovalRecord`, or for a question
 * that the call itself asks an {@link AnswerRecord}. After a restart the same question is put under the same id, so that an
 * answer from elsewhere finds it.
 */
export interface QuestionRecord {
  /** Random. */
  readonly id: string;
  /** The id of the call. */
  readonly call: string;
  readonly name: string;
  /** The arguments as the call will run, where a hook or the coercion of its arguments changed those that the model wrote. */
  readonly args?: JsonObject;
  /** SHA-256 of the arguments as the call will run, in canonical form. */
  readonly hash: string;
  /** `approval`: whether the call may run. `answer`: the body of the call asks. */
  readonly asks: "approval" | "answer";
  /** What the call touches, as the tool's `resource` names it; empty for a question of the body. */
  readonly touches: readonly string[];
  /** Why the call asks for approval; empty for a question of the body. */
  readonly concerns: readonly Concern[];
  /** What the body asks. */
  readonly message?: string;
  /** What an answer to the body must fit; absent for a text. */
  readonly schema?: JsonSchema;
  /** SHA-256 of everything that the question shows beside the call. An answer holds only if that is the same. */
  readonly shown?: string;
  /**
   * For a tool that somebody else has defined, such as a server: the `definitionHash` of the tool that is asked about. It names what the
   * person should see; `shown` is what an answer is bound to.
   */
  readonly definition?: string;
  /** The client is asked, whose tool is called (`Tool.client`): no person. */
  readonly client?: true;
  /**
   * For a question of an agent that the call has started: the names of the agents that lead to it, from the outermost. `name`, `args`
   * and `hash` are then those of that agent's call.
   */
  readonly agents?: readonly string[];
}

/** A logged answer to a question that a body asked. An answer without a valid proof is ignored. */
export interface AnswerRecord {
  /** The id of the question. */
  readonly question: string;
  readonly content: Json;
  /** Who answered from elsewhere, as they claim. */
  readonly from?: string;
  readonly proof?: Proof;
}
