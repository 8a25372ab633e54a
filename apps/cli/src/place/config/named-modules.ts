import { type ModuleFile, type ModuleKind, moduleOf } from "../modules/module-file.ts";
import { providerNames } from "../provider/provider-names.ts";
import type { Config, Values } from "./config.ts";
import { quoted } from "./quoted.ts";
import { extensionEntries } from "./tool-entries.ts";

/** The modules that a configuration of a project names, each as it is loaded, by these names. */
export async function modulesOf(
  { values, profiles }: Pick<Config, "values" | "profiles">,
  root: string,
): Promise<ReadonlyMap<string, ModuleFile>> {
  const modules = new Map<string, ModuleFile>();
  for (const [name, kind] of namesIn([values, ...Object.values(profiles)])) {
    const module = await moduleOf(kind, name, root);
    if (module) modules.set(name, module);
  }
  return modules;
}

function namesIn(all: readonly Values[]): Map<string, ModuleKind> {
  const names = new Map<string, ModuleKind>();
  for (const { provider, tools } of all) {
    if (typeof provider === "string" && !providerNames.includes(provider)) names.set(provider, "provider");
    for (const { use } of extensionEntries(tools)) names.set(use, "tool");
  }
  return names;
}

/** What a person must know about the modules before they agree. */
export function moduleLines(modules: ReadonlyMap<string, ModuleFile>): string[] {
  return Array.from(modules.values(), ({ file, imports, hash }) => {
    const beside = imports.length === 0 ? "" : ` and ${imports.length} files that it imports`;
    const content = hash === "" ? "cannot be read now" : `sha256 ${hash.slice(0, 16)}`;
    return `${quoted(file)}${beside} would run in this program with all your rights, outside of the sandbox: ${content}`;
  });
}
