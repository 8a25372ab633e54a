import type { FrontMatterProblemCode } from "../front-matter/parse-front-matter.ts";

/**
 * - `file_missing`, `file_too_large`, `file_unreadable`: there is no file that can be read
 * - `name_taken`: another one of the name comes first
 * - `name_invalid`: it cannot have the name of its file
 */
export type TextProblemCode =
  | FrontMatterProblemCode
  | "file_missing"
  | "file_too_large"
  | "file_unreadable"
  | "name_taken"
  | "name_invalid";

/** What is wrong with a file. */
export interface TextProblem {
  readonly code: TextProblemCode;
  /** The path of the file, below the folder that was given. */
  readonly file: string;
  /** The line of the file, counted from 1. */
  readonly line: number;
  /** What is wrong, and what to write instead. */
  readonly message: string;
}
