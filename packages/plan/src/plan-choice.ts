/** A way in which the agent may go on once its plan is accepted. */
export interface PlanChoice {
  /** What the person answers, in one word. */
  readonly name: string;
  /** What it means, for the person. */
  readonly meaning: string;
}
