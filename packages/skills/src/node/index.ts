export {
  type FoundProblem,
  type FoundSkill,
  type FoundSkills,
  type ReadSkillsOptions,
  readSkill,
  readSkills,
  type SkillFile,
} from "./read-skills.ts";
export { type ReadTextFilesOptions, readTextFiles, type TextFile, type TextFileProblem } from "./read-text-files.ts";
