import { type RuleFile, ruleFileOf } from "../approval/rule-file.ts";
import type { Config } from "./config.ts";
import { configOf, readText } from "./config-file.ts";
import { type ProjectFiles, projectFiles } from "./project.ts";
import { digestOf, type Review, reviewOf } from "./review.ts";
import { type Trust, trustOf } from "./trust.ts";

/** The project of a root, and whether its own configuration counts. */
export interface Project extends ProjectFiles {
  readonly trust: Trust;
  /** What its configuration says, whether or not it counts. */
  readonly review: Review;
  /** What it could run, in a short text; see `digestOf`. */
  readonly digest: string;
  /** Which of its files there are. */
  readonly present: readonly string[];
  /** Its configuration, if there is one that counts. @throws UsageError if it is invalid */
  readConfig(): Config | undefined;
  /** Its rules, if there are some that count. @throws UsageError if they are invalid */
  readRules(): RuleFile | undefined;
}

/** Reads the project that a root belongs to. What was judged is what counts, also if the files change meanwhile. */
export async function openProject(root: string): Promise<Project> {
  const files = projectFiles(root);
  const texts = { config: readText(files.config), rules: readText(files.rules) };
  const review = reviewOf(files, texts);
  const digest = await digestOf(review, root);
  const trust = await trustOf(files.top, digest);
  const isTrusted = trust === "trusted";
  const present = [
    ...(texts.config === undefined ? [] : [files.config]),
    ...(texts.rules === undefined ? [] : [files.rules]),
    ...files.contextFiles,
  ];
  return {
    ...files,
    trust,
    review,
    digest,
    present,
    contextFiles: isTrusted ? files.contextFiles : [],
    readConfig: () => (isTrusted && texts.config !== undefined ? configOf(files.config, texts.config) : undefined),
    readRules: () => (isTrusted && texts.rules !== undefined ? ruleFileOf(files.rules, texts.rules, false) : undefined),
  };
}
