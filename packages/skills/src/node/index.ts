export {
  type FoundProblem,
  type FoundSkill,
  type FoundSkills,
  type ReadSkillsOptions,
  readSkills,
} from "./read-skills.ts";
