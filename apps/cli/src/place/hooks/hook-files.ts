import type { HookProgram } from "@cogency/hook-programs";

/**
 * The state of each file that a hook names and may run, by its real path. Nothing is loaded without a hook. A command line that cannot
 * be read names none, and does not run.
 */
export async function hookFiles(
  folder: string,
  hooks: readonly Pick<HookProgram, "command">[],
): Promise<readonly ReadonlyMap<string, string>[]> {
  if (hooks.length === 0) return [];
  const [{ openRoot }, { fileStates }] = await Promise.all([
    import("@cogency/toolbox"),
    import("@cogency/toolbox/shell"),
  ]);
  const root = await openRoot(folder, { access: "project" });
  return Promise.all(hooks.map(({ command }) => fileStates(root, command).catch(() => new Map<string, string>())));
}
