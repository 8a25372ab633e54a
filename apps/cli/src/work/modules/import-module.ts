import { type ResolveFnOutput, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import type { OwnFile } from "../../place/modules/own-imports.ts";

/** What a module exports by default. One that was compiled from ESM to CommonJS holds it one level deeper. */
export interface ImportedModule {
  default?: { default?: unknown };
}

export interface ImportOptions {
  /** The files beside it, which run as they were read, too. */
  imports?: readonly OwnFile[];
  /** Refuses a relative import of a file that is not among them. */
  onlyRead?: boolean;
  /** Packages that stand in for those that are not installed where the module stands. */
  packages?: Readonly<Record<string, object>>;
  /** Milliseconds that the import may take; without it, no limit. */
  timeout?: number;
}

/**
 * Imports a module that is not part of the app, as it was read: the file may have been changed since. In a file of its own, because code
 * that imports is not kept compiled.
 */
export async function importModule(
  { real, bytes }: OwnFile,
  { imports = [], onlyRead = false, packages = {}, timeout }: ImportOptions = {},
): Promise<ImportedModule> {
  const { href } = pathToFileURL(real);
  const read = new Map([{ real, bytes }, ...imports].map((file) => [pathToFileURL(file.real).href, file.bytes]));
  const lent = lentPackages(packages);
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const isOwn = read.has(context.parentURL ?? "");
      const lentUrl = isOwn ? lent.urlOf(specifier) : undefined;
      const found = lentUrl === undefined ? next(specifier, context) : orElse(lentUrl, () => next(specifier, context));
      if (onlyRead && isOwn && /^\.{1,2}\//.test(specifier) && !read.has(found.url))
        throw new Error(`it imports ${specifier}, which nobody has looked at: write the path as a plain text`);
      return found;
    },
    load: (url, context, next) => {
      const source = lent.sourceOf(url);
      if (source !== undefined) return { format: "module", source, shortCircuit: true };
      const loaded = next(url, context);
      // An addon has no source.
      const own = loaded.format === "addon" ? undefined : read.get(url);
      return own ? { ...loaded, source: own } : loaded;
    },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      if (timeout === undefined) return;
      const overdue = () => reject(new Error(`it was not loaded within ${timeout / 1000} s`));
      timer = setTimeout(overdue, timeout);
    });
    return await Promise.race([import(href), late]);
  } finally {
    clearTimeout(timer);
    hooks.deregister();
  }
}

/** What is installed where the module stands, else what the app lends. */
function orElse(url: string, resolve: () => ResolveFnOutput): ResolveFnOutput {
  try {
    return resolve();
  } catch {
    return { url, format: "module", shortCircuit: true };
  }
}

/** Modules without a file, which export what packages of the app do. */
function lentPackages(packages: Readonly<Record<string, object>>) {
  const scheme = "cogency-lent:";
  const key = Symbol.for("cogency.lent-packages");
  if (Object.keys(packages).length > 0) Object.assign(globalThis, { [key]: packages });
  return {
    urlOf: (name: string) => (Object.hasOwn(packages, name) ? scheme + name : undefined),
    sourceOf(url: string): string | undefined {
      const name = url.startsWith(scheme) ? url.slice(scheme.length) : "";
      if (!Object.hasOwn(packages, name)) return undefined;
      const names = Object.keys(packages[name] ?? {}).filter((one) => /^[A-Za-z]\w*$/.test(one) && one !== "default");
      return `export const { ${names.join(", ")} } = globalThis[Symbol.for("cogency.lent-packages")][${JSON.stringify(name)}];`;
    },
  };
}
