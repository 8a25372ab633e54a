import { brandErrors, hasErrorBrand } from "@cogency/protocol/host";

/**
 * - `skill_unknown`: the model asked for a skill that the agent does not have
 * - `file_unreadable`: it asked for a file that is not beside the skill, or that is no text of a moderate size
 */
export type SkillErrorCode = "skill_unknown" | "file_unreadable";

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
