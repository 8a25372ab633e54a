import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

/** What a module exports by default. One that was compiled from ESM to CommonJS holds it one level deeper. */
export interface ImportedModule {
  default?: { default?: unknown };
}

/**
 * Imports a module that is not part of the app, as it was read: the file may have been changed since. What it imports is read anew. In
 * a file of its own, because code that imports is not kept compiled.
 */
export async function importModule({ real, bytes }: { real: string; bytes: Uint8Array }): Promise<ImportedModule> {
  const { href } = pathToFileURL(real);
  const hooks = registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      // An addon has no source.
      return url === href && loaded.format !== "addon" ? { ...loaded, source: bytes } : loaded;
    },
  });
  try {
    return await import(href);
  } finally {
    hooks.deregister();
  }
}
