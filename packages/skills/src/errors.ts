import { brandErrors, hasErrorBrand } from "@cogency/protocol/host";

/** - `skill_unknown`: the model asked for a skill that the agent does not have */
export type SkillErrorCode = "skill_unknown";

/** Why a call of the tool `skill` failed. */
export class SkillError extends Error {
  static {
    brandErrors(SkillError, "SkillError");
  }

  override readonly name = "SkillError";
  readonly code: SkillErrorCode;

  constructor(code: SkillErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Whether it is a SkillError, also one of another copy of `@cogency/skills`. */
export function isSkillError(value: unknown): value is SkillError {
  return hasErrorBrand(value, "SkillError");
}
