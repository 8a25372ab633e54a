/** What a check of the doctor has found. */
export interface Finding {
  /** What was looked at, in one word. */
  readonly about: string;
  /** `fault`: something does not work. `note`: it works, but differs from what people expect. */
  readonly state: "ok" | "note" | "fault";
  readonly text: string;
  /** What a person can do about it. */
  readonly mend?: string;
}
