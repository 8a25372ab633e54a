export {
  type FoundProblem,
  type FoundSkill,
  type FoundSkills,
  type ReadSkillsOptions,
  readSkill,
  readSkills,
  type SkillFile,
} from "./read-skills.ts";
