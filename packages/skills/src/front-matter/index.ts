export { type ToolPattern, toolPatterns } from "../allowed-tools.ts";
export { entriesIn, type TextFieldOptions, textField, textsField, toolsField } from "./fields.ts";
export {
  type FrontMatter,
  type FrontMatterField,
  type FrontMatterFormat,
  type FrontMatterProblem,
  type FrontMatterProblemCode,
  parseFrontMatter,
  type ReadField,
  shownText,
} from "./parse-front-matter.ts";
