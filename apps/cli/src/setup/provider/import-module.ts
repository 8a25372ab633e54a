/** What a module exports by default. One that was compiled from ESM to CommonJS holds it one level deeper. */
export interface ImportedModule {
  default?: { default?: unknown };
}

/** Imports a module that is not part of the app. In a file of its own, because code that imports is not kept compiled. */
export function importModule(url: string): Promise<ImportedModule> {
  return import(url);
}
