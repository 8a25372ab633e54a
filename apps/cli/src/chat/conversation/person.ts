import type { AnswerRequest } from "@cogency/tools";
import type { Asker } from "../../person/approval/asker.ts";

/** What a tool asks; without a call, the app itself does. */
export type PersonQuestion = Pick<AnswerRequest, "question" | "message" | "schema" | "signal"> &
  Partial<Pick<AnswerRequest, "call" | "problem">> & {
    /** The names of the agents in which the tool runs, the outermost first. */
    agents?: readonly string[] | undefined;
  };

/** The person at the terminal, who is asked by the agent and by its tools. */
export interface Person extends Asker {
  /**
   * Puts a question of a tool, or of the app. Resolves with a text, or with a value that should fit its schema; where it does not, the question
   * comes again with the `problem`.
   *
   * @throws Error if the person does not answer, which the model reads, and when `signal` of the request aborts
   */
  answer(request: PersonQuestion): Promise<unknown>;
}
