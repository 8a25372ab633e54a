import type { Content } from "@cogency/tools";
import type { FrontMatterProblemCode } from "./front-matter/parse-front-matter.ts";

/** Instructions for one kind of work, which the model reads when it needs them. The format is that of https://agentskills.io. */
export interface Skill {
  /** Lower-case letters, digits and single hyphens, up to 64. */
  readonly name: string;
  /** What it does and when to use it: the model reads it in every request. Up to 1,024 characters. */
  readonly description: string;
  /** The instructions: the Markdown below the front matter. */
  readonly text: string;
  /** The folder that holds it, as the file tools of the agent name it; absent where there are no files beside it. */
  readonly folder?: string | undefined;
  /** The files beside it, relative to `folder`, sorted. */
  readonly files?: readonly string[] | undefined;
  /** The text of a file beside it, for an agent whose file tools do not reach `folder`. @throws SkillError */
  readFile?(path: string): Promise<string>;
  /** The only tools that run while it is active, such as `read` or `Bash(git:*)`. All that the agent has if absent. */
  readonly allowedTools?: readonly string[] | undefined;
  readonly license?: string | undefined;
  /** What it needs, in words. */
  readonly compatibility?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** What its text brings into a conversation. Defaults to nothing: it is the person's own. */
  readonly holds?: readonly Content[] | undefined;
}

/**
 * - `file_missing`, `file_too_large`, `file_unreadable`: there is no `SKILL.md` that can be read
 * - `front_matter_missing`, `front_matter_invalid`: the text does not begin with YAML between two lines `---`
 * - `field_unknown`, `field_missing`, `field_invalid`: about one field of the front matter
 * - `text_empty`: there are no instructions
 * - `name_taken`: another skill of the name comes first
 */
export type SkillProblemCode =
  | FrontMatterProblemCode
  | "file_missing"
  | "file_too_large"
  | "file_unreadable"
  | "name_taken";

/** What is wrong with the file of a skill. */
export interface SkillProblem {
  readonly code: SkillProblemCode;
  /** The line of the file, counted from 1. */
  readonly line: number;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}
