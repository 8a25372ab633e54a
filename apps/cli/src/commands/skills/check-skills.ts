import { checkTexts } from "../lists/check-texts.ts";
import { skillsIn } from "./skills-in.ts";

/** `cogency skills check`; see `checkTexts`. */
export function checkSkills(named: readonly string[]): Promise<number> {
  const nothing = "There is no SKILL.md in this folder, and none in a folder below it.";
  return checkTexts({ kind: "skills", one: "skill", read: skillsIn, nothing }, named);
}
