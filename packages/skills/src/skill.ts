import type { Content } from "@cogency/tools";
import type { FrontMatterProblem } from "./front-matter/parse-front-matter.ts";

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

/** What is wrong with the text of a skill. */
export type SkillProblem = FrontMatterProblem;
