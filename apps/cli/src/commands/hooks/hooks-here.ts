import { openProject, type Project } from "../../place/config/open-project.ts";
import { findHooks, type PlacedHook } from "../../place/hooks/find-hooks.ts";
import type { HookChoice } from "../../work/hooks/open-hooks.ts";

/** What a command of `cogency hooks` looks at. */
export type HooksOptions = Pick<HookChoice, "root" | "config" | "sandbox">;

/** The hooks that count in a folder, without what a run needs to call them. @throws UsageError for an invalid configuration */
export async function hooksHere({ root, config }: HooksOptions): Promise<{ project: Project; hooks: PlacedHook[] }> {
  const project = await openProject(root);
  return { project, hooks: findHooks(project, config) };
}
