/** What a user's bundle may weigh, and what must never get into it. */
export interface Budget {
  /** The package whose dependencies the bundle is made of, such as `packages/protocol`. */
  path: string;
  /** What is imported; everything when absent. */
  names?: readonly string[];
  /** The file that is bundled instead of the package's main entry, such as `./dist/main.js`. */
  file?: string;
  /** Runs in Node: built-in modules and packages of others stay outside of the bundle. */
  isForNode?: true;
  /** Minified and gzipped, in bytes; `kB` are 1000 bytes. */
  ceiling: number;
  /** What must not appear in the text of the minified bundle. */
  forbidden: readonly RegExp[];
}

const kB = 1000;
/** However they are called: `eval(…)`, `(0,eval)(…)`, `eval?.(…)`, `Function(…)`, `new Function(…)`. */
export const codeFromText: readonly RegExp[] = [/\beval\)?(\?\.)?\(/, /\bFunction\)?(\?\.)?\(/];
const nodeOnly = [/["'`]node:/, /\bprocess\b/, /\bBuffer\b/];

/** The bundles that are measured, each with everything it imports; every package that is published has one. */
export const budgets: readonly Budget[] = [
  {
    path: "packages/protocol",
    names: ["createParser", "settle"],
    ceiling: 6 * kB,
    forbidden: [...nodeOnly, ...codeFromText, /\bzod\b/i],
  },
  { path: "packages/protocol", ceiling: 11 * kB, forbidden: [...nodeOnly, ...codeFromText, /\bzod\b/i] },
  { path: "packages/tools", ceiling: 34 * kB, forbidden: codeFromText },
  { path: "packages/provider", ceiling: 6 * kB, forbidden: [...nodeOnly, ...codeFromText] },
  { path: "packages/provider", file: "./dist/http.js", ceiling: 9 * kB, forbidden: [...nodeOnly, ...codeFromText] },
  { path: "packages/provider-offline", ceiling: 14 * kB, forbidden: codeFromText },
  { path: "packages/storage", ceiling: 12 * kB, forbidden: codeFromText },
  { path: "packages/agent", ceiling: 50 * kB, forbidden: codeFromText },
  { path: "packages/provider-openai", isForNode: true, ceiling: 25 * kB, forbidden: codeFromText },
  { path: "packages/provider-anthropic", isForNode: true, ceiling: 15 * kB, forbidden: codeFromText },
  { path: "packages/storage-sqlite", isForNode: true, ceiling: 18 * kB, forbidden: codeFromText },
  { path: "packages/storage-postgres", isForNode: true, ceiling: 17 * kB, forbidden: codeFromText },
  { path: "packages/toolbox", isForNode: true, ceiling: 66 * kB, forbidden: codeFromText },
  { path: "apps/cli", file: "./dist/main.js", isForNode: true, ceiling: 200 * kB, forbidden: codeFromText },
];

/** Modules that no measured bundle may contain, whoever imports them. */
export const forbiddenModules: readonly string[] = ["zod"];
