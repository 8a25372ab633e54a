import type { Key } from "@cogency/storage";

/**
 * What a host adds to the questions for approval in its logs. It reads them in its own store and decides by its own rules: nothing that
 * a sender says is believed, and a sender can only choose among the rules that `describe` offers.
 */
export interface Questions {
  /** What a person should know before they answer. Undefined for a question that is not open. */
  describe(key: Key, question: string): Promise<QuestionDetails | undefined>;
  /**
   * Keeps a rule, so that calls that it names are no longer asked about. Called before the approval is posted.
   *
   * @param rule the `text` of a rule, as the sender chose it
   * @returns false if this question does not offer it now; then nothing is approved
   */
  keep(key: Key, question: string, rule: string): Promise<boolean>;
}

export interface QuestionDetails {
  /** What the arguments do not say in so many words, such as the commands of a script, in the order in which they are read. */
  readonly facts: readonly { readonly name: string; readonly lines: readonly string[] }[];
  /** The rules that a person may choose instead of a single yes, the narrowest first. */
  readonly rules: readonly {
    /** All of the rule, as the person reads it. */
    readonly text: string;
    /** Where it is kept, as the person may open it. */
    readonly file: string;
  }[];
}
