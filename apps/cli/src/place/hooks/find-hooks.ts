import type { HookProgram } from "@cogency/hook-programs";
import { readConfig, userConfigFile } from "../config/config-file.ts";
import type { Project } from "../config/open-project.ts";
import { withinProject } from "../config/project.ts";

/** A hook, and where it is from. */
export interface PlacedHook {
  readonly program: HookProgram;
  /** `yours`, or the file of the project that holds it. */
  readonly place: string;
  readonly isOwn: boolean;
  /** The folder in which it runs; undefined for the root of the agent. */
  readonly folder: string | undefined;
}

/**
 * The hooks that count: the person's own, which come first, then those of a project that is trusted. Those of a file that the person
 * names are their own, and stand in place of the project's.
 *
 * @throws UsageError for a configuration that cannot be used
 */
export function findHooks(project: Pick<Project, "top" | "config" | "hooks">, named: string | undefined): PlacedHook[] {
  const own = [userConfigFile(), ...(named === undefined ? [] : [named])].flatMap(
    (file) => readConfig(file)?.hooks ?? [],
  );
  const theirs = named === undefined ? project.hooks : { folder: undefined, programs: [] };
  return [
    ...own.map((program) => ({ program, place: "yours", isOwn: true, folder: undefined })),
    ...theirs.programs.map((program) => ({
      program,
      place: withinProject(project, project.config),
      isOwn: false,
      folder: theirs.folder,
    })),
  ];
}
