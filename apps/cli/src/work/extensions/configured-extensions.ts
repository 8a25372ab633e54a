import { dirname } from "node:path";
import type { Config } from "../../place/config/config.ts";
import type { Resolved } from "../../place/config/merge.ts";
import type { Project } from "../../place/config/open-project.ts";
import { extensionEntries } from "../../place/config/tool-entries.ts";
import type { ModuleFile } from "../../place/modules/module-file.ts";

/** A module of the configuration that brings tools and more. */
export interface ExtensionChoice {
  /** A path, or the bare name of a package. */
  readonly use: string;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** The folder in whose project a bare name is searched. */
  readonly root: string;
  /** Of a project: its claims spare no question, and it runs as it was reviewed. */
  readonly ofProject?: { readonly reviewed: ModuleFile | undefined };
  /** The person has named all tools that they want, and none of these. */
  readonly withoutTools?: true;
}

/** The files of the configuration that count; see `configure`. */
interface Sources {
  /** That of the project, or the one that was typed. */
  readonly own: Config | undefined;
  readonly user: Config | undefined;
  /** Undefined if the person has typed a file. */
  readonly project: Project | undefined;
}

/** Whether the person has named all tools that they want, for this command alone. */
export function areToolsTyped(
  values: ReadonlyMap<string, Resolved>,
  own: Config | undefined,
  user: Config | undefined,
): boolean {
  const { origin } = values.get("tools") ?? {};
  return origin !== undefined && origin !== own?.file && origin !== user?.file;
}

/**
 * The modules of the key `tools` in all files that count, the person's first. Unlike other lists they add up: a project takes away no hook
 * that guards a person.
 */
export function configuredExtensions(
  values: ReadonlyMap<string, Resolved>,
  { own, user, project }: Sources,
): ExtensionChoice[] {
  const { value } = values.get("tools") ?? {};
  const isTyped = areToolsTyped(values, own, user);
  const left = isTyped ? { withoutTools: true as const } : {};
  const of = (config: Config | undefined) =>
    config === undefined || config.kept
      ? []
      : extensionEntries(config.values.tools).map((entry) => ({ ...entry, ...left }));
  const typed = isTyped ? extensionEntries(value).map((entry) => ({ ...entry, root: "." })) : [];
  return [
    ...of(user).map((entry) => ({ ...entry, root: dirname(user?.file ?? ".") })),
    ...typed,
    ...of(own).map((entry) => {
      if (project === undefined) return { ...entry, root: dirname(own?.file ?? ".") };
      return { ...entry, root: project.top, ofProject: { reviewed: project.modules?.get(entry.use) } };
    }),
  ];
}
