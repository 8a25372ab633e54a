import type { HookProgram } from "@cogency/hook-programs";
import type { FileLimits } from "../../base/files/read-regular-file.ts";
import type { ReviewedServer } from "../mcp/reviewed-servers.ts";
import type { ModuleFile } from "../modules/module-file.ts";
import { appPlaces } from "../own-paths.ts";
import type { Rules } from "../rules/rules.ts";
import { noTextFolders, textFilesIn } from "../texts/text-folders.ts";
import type { Config } from "./config.ts";
import { type ProjectFiles, projectFiles, withinProject } from "./project.ts";
import { digestOf, hookFolder, type Review, reviewOf, valueOrThrow } from "./review.ts";
import { type Seen, type Trust, trustOf } from "./trust.ts";

/** The project of a root, and whether its own configuration counts. */
export interface Project extends ProjectFiles {
  readonly trust: Trust;
  /** What its configuration says, whether or not it counts. */
  readonly review: Review;
  /** What a person saw of it when they last looked, and what it is now. */
  readonly before: Seen | undefined;
  readonly now: Seen;
  /** Which of its files there are. */
  readonly present: readonly string[];
  /** How each file of it is read: it must be in the project, and none of the app's own. */
  readonly limits: FileLimits;
  /** The modules that its configuration names, providers and tools, if that counts. */
  readonly modules: ReadonlyMap<string, ModuleFile> | undefined;
  /** Its servers as far as they count. */
  readonly servers: readonly ReviewedServer[];
  /** Its hooks as far as they count, and where they run. */
  readonly hooks: { readonly folder: string; readonly programs: readonly HookProgram[] };
  /** Its configuration as far as it counts. @throws UsageError if it is invalid */
  readConfig(): Config | undefined;
  /** Its rules as far as they count. @throws UsageError if they are invalid */
  readRules(): Rules | undefined;
}

/**
 * Reads the project that a root belongs to. What was judged is what counts, also if the files change meanwhile. Of a configuration
 * that was changed since a person looked at it, what protected then counts until they look again.
 */
export async function openProject(root: string): Promise<Project> {
  const files = projectFiles(root);
  const limits = { within: files.top, guarded: appPlaces() };
  const review = await reviewOf(files, root, limits);
  const now = { digest: await digestOf(review), protection: review.protection };
  const { trust, seen } = trustOf(files, now.digest);
  const isTrusted = trust === "trusted";
  const kept = trust === "changed" || trust === "unseen" ? seen?.protection : undefined;
  const present = [
    ...(review.config ? [files.config] : []),
    ...(review.rules ? [files.rules] : []),
    ...(review.mcpJson ? [files.mcpJson] : []),
    ...files.contextFiles,
    ...textFilesIn(files.textFolders),
  ];
  return {
    ...files,
    trust,
    review,
    before: seen,
    now,
    present,
    limits,
    contextFiles: isTrusted ? files.contextFiles : [],
    textFolders: isTrusted ? files.textFolders : noTextFolders,
    modules: isTrusted ? review.modules : undefined,
    servers: isTrusted ? review.servers : [],
    hooks: { folder: hookFolder(files), programs: isTrusted ? review.hooks : [] },
    readConfig() {
      if (isTrusted) return valueOrThrow(review.config);
      if (!kept) return undefined;
      const { values, profiles = {}, profile } = kept;
      return {
        file: `${withinProject(files, files.config)}, as you last saw it`,
        values,
        profiles,
        hooks: [],
        kept: { profile },
      };
    },
    readRules: () => (isTrusted ? valueOrThrow(review.rules) : kept && { ask: kept.ask, deny: kept.deny }),
  };
}
