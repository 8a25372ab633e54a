export { isSkillError, SkillError, type SkillErrorCode } from "./errors.ts";
export { fillArguments } from "./fill-arguments.ts";
export { type ParsedSkill, parseSkill } from "./parse-skill.ts";
export type { Skill, SkillProblem } from "./skill.ts";
export { type SkillsOptions, skills } from "./skills.ts";
