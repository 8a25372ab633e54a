export {
  type FoundCommand,
  type FoundCommands,
  type ReadCommandsOptions,
  readCommands,
} from "./read-commands.ts";
export { type FoundSkill, type FoundSkills, readSkill, readSkills } from "./read-skills.ts";
export {
  type FoundTexts,
  type ReadTextsOptions,
  readTexts,
  readTextsTable,
  type TextFile,
  type TextFormat,
} from "./read-texts.ts";
export type { TextProblem, TextProblemCode } from "./text-problem.ts";
