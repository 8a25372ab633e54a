/** What a package of the workspace is: what it may know, where it runs, what it exports and what it weighs. */
export interface PackageRules {
  /** The packages of ours that its sources may import; `"all"` for apps. */
  imports: readonly string[] | "all";
  /** Runs wherever JavaScript does: no built-in module and no global of Node. */
  isPure?: true;
  /** Its testkit starts servers or processes, and runs in Node only. */
  hasNodeTestkit?: true;
  /** Knows tools by their JSON Schema only. */
  isZodFree?: true;
  /** Is a command, with nothing to import. */
  isCommand?: true;
  /** The entries that its documentation promises beside the main one. */
  entries?: readonly string[];
  /** The bundles of it that are measured; every package that is published has one. */
  bundles?: readonly Bundle[];
}

/** What a user's bundle may weigh, and what must never get into it. */
export interface Bundle {
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
const anywhere = [...nodeOnly, ...codeFromText];

/** Modules that no measured bundle may contain, whoever imports them. */
export const forbiddenModules: readonly string[] = ["zod"];

/**
 * Every package and app, lowest first. Imports point down only, and a package that is not in this
 * table fails the checks: a new one needs an entry here, and nothing else but its own folder.
 */
export const packages: Readonly<Record<string, PackageRules>> = {
  "packages/protocol": {
    imports: [],
    isPure: true,
    isZodFree: true,
    entries: ["./testkit"],
    bundles: [
      { names: ["createParser", "settle"], ceiling: 6.1 * kB, forbidden: [...anywhere, /\bzod\b/i] },
      { ceiling: 11 * kB, forbidden: [...anywhere, /\bzod\b/i] },
    ],
  },
  "packages/async": {
    imports: [],
    isPure: true,
    isZodFree: true,
    bundles: [{ ceiling: 2 * kB, forbidden: anywhere }],
  },
  "packages/tools": {
    imports: ["async", "protocol"],
    isPure: true,
    bundles: [{ ceiling: 34 * kB, forbidden: codeFromText }],
  },
  "packages/provider": {
    imports: ["async", "protocol"],
    isPure: true,
    hasNodeTestkit: true,
    isZodFree: true,
    entries: ["./http", "./testkit"],
    bundles: [
      { ceiling: 6 * kB, forbidden: anywhere },
      { file: "./dist/http.js", ceiling: 9 * kB, forbidden: anywhere },
    ],
  },
  "packages/provider-offline": {
    imports: ["async", "protocol", "provider"],
    isPure: true,
    isZodFree: true,
    bundles: [{ ceiling: 14 * kB, forbidden: codeFromText }],
  },
  "packages/provider-openai": {
    imports: ["async", "protocol", "provider"],
    isZodFree: true,
    bundles: [{ isForNode: true, ceiling: 25 * kB, forbidden: codeFromText }],
  },
  "packages/provider-anthropic": {
    imports: ["async", "protocol", "provider"],
    isZodFree: true,
    bundles: [{ isForNode: true, ceiling: 15 * kB, forbidden: codeFromText }],
  },
  "packages/storage": {
    imports: ["async", "protocol"],
    isPure: true,
    hasNodeTestkit: true,
    isZodFree: true,
    entries: ["./testkit"],
    bundles: [{ ceiling: 16.5 * kB, forbidden: codeFromText }],
  },
  "packages/storage-sqlite": {
    imports: ["async", "protocol", "storage"],
    isZodFree: true,
    entries: ["./lease-owner"],
    bundles: [{ isForNode: true, ceiling: 18.5 * kB, forbidden: codeFromText }],
  },
  "packages/storage-postgres": {
    imports: ["async", "protocol", "storage"],
    isZodFree: true,
    bundles: [{ isForNode: true, ceiling: 27.5 * kB, forbidden: codeFromText }],
  },
  "packages/agent": {
    imports: ["async", "protocol", "tools", "provider", "storage"],
    isPure: true,
    bundles: [{ ceiling: 57.5 * kB, forbidden: codeFromText }],
  },
  "packages/toolbox": {
    imports: ["async", "protocol", "tools", "storage"],
    bundles: [{ isForNode: true, ceiling: 66 * kB, forbidden: codeFromText }],
  },
  "apps/cli": {
    imports: "all",
    isCommand: true,
    bundles: [{ file: "./dist/main.js", isForNode: true, ceiling: 205 * kB, forbidden: codeFromText }],
  },
  "apps/example-provider": { imports: ["protocol", "provider"] },
};
