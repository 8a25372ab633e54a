/** What a user's bundle may weigh, and what must never get into it. */
export interface Budget {
  /** The package whose dependencies the bundle is made of, such as `packages/protocol`. */
  path: string;
  /** What is imported; everything when absent. */
  names?: readonly string[];
  /** Minified and gzipped, in bytes; `kB` are 1000 bytes. */
  ceiling: number;
  /** What must not appear in the text of the minified bundle. */
  forbidden: readonly RegExp[];
}

const kB = 1000;
const codeFromText = [/\beval\(/, /\bnew Function\b/];
const nodeOnly = [/["'`]node:/, /\bprocess\b/, /\bBuffer\b/];

/** The bundles that are measured, each with everything it imports. */
export const budgets: readonly Budget[] = [
  {
    path: "packages/protocol",
    names: ["createParser", "settle"],
    ceiling: 6 * kB,
    forbidden: [...nodeOnly, ...codeFromText, /\bzod\b/i],
  },
  { path: "packages/protocol", ceiling: 10 * kB, forbidden: [...nodeOnly, ...codeFromText, /\bzod\b/i] },
  { path: "packages/tools", ceiling: 18 * kB, forbidden: codeFromText },
  { path: "packages/provider", ceiling: 4 * kB, forbidden: codeFromText },
  { path: "packages/provider-offline", ceiling: 14 * kB, forbidden: codeFromText },
  { path: "packages/storage", ceiling: 4 * kB, forbidden: codeFromText },
  { path: "packages/agent", ceiling: 40 * kB, forbidden: codeFromText },
];

/** Modules that no measured bundle may contain, whoever imports them. */
export const forbiddenModules: readonly string[] = ["zod"];
