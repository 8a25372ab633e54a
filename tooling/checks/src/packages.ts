/** The rules of one package: what it may import, where it runs, what it exports and how large it may be. */
export interface PackageRules {
  /** The packages of the workspace that its sources may import; `"all"` for apps. */
  imports: readonly string[] | "all";
  /** Runs in every JavaScript runtime: uses no built-in module and no global of Node. */
  isPure?: true;
  /** Its testkit starts servers or processes, so it runs only in Node. */
  hasNodeTestkit?: true;
  /** Its entry `./node`, with the sources in `src/node`, runs only in Node; nothing else of it may load them. */
  hasNodeEntry?: true;
  /** Knows tools only by their JSON Schema, and must not import zod. */
  isZodFree?: true;
  /** Is a command, without exports. It is published as one bundle with everything that it needs, so it depends on nothing. */
  isCommand?: true;
  /** What a command imports only where the person has installed it: optional peers, which no bundle holds. */
  optionalPeers?: readonly string[];
  /** The folders of its sources, and the others that each may import. A file beside them may import all, and none of them it. */
  rooms?: Readonly<Record<string, readonly string[]>>;
  /** The documented entries besides the main one. */
  entries?: readonly string[];
  /** Those of the entries that export types alone. */
  typeEntries?: readonly string[];
  /** The bundles that are measured. Every published package but a command has at least one. */
  bundles?: readonly Bundle[];
  /** What a command may weigh as it is published. */
  shipped?: Shipped;
}

/** The largest sizes of a published command. */
export interface Shipped {
  /** Bytes of all files, unpacked. */
  unpacked: number;
  /** Bytes, gzipped, of the code that is loaded for each of these files of dist/, named as before their hash. */
  loaded: Readonly<Record<string, number>>;
  /** Patterns that no file may match. */
  forbidden: readonly RegExp[];
}

/** The largest size of a user's bundle, and what it must not contain. */
export interface Bundle {
  /** The imported names. Defaults to all. */
  names?: readonly string[];
  /** The file to bundle, such as `./dist/main.js`. Defaults to the package's main entry. */
  file?: string;
  /** Measures what the file adds to a bundle of the main entry, for an entry that nobody uses without that one. */
  besideMain?: true | undefined;
  /** Is put into a page as it is: minified, without a source map. */
  isText?: true;
  /** Runs in Node: built-in modules and other people's packages are not bundled. */
  isForNode?: true;
  /** The largest size in bytes, minified and gzipped. */
  ceiling: number;
  /** Patterns that the text of the minified bundle must not match. */
  forbidden: readonly RegExp[];
}

const kB = 1000;
/** Every form of making code from text: `eval(…)`, `(0,eval)(…)`, `eval?.(…)`, `Function(…)`, `new Function(…)`. */
export const codeFromText: readonly RegExp[] = [/\beval\)?(\?\.)?\(/, /\bFunction\)?(\?\.)?\(/];
/** The same in a whole command, where libraries of others have methods of the name `eval`. */
const codeFromTextInCommand: readonly RegExp[] = [/(?<!\.)\beval\)?(\?\.)?\((?![^()]*\)\{)/, /\bFunction\)?(\?\.)?\(/];
/** Every form of making HTML from text in a page. */
const htmlFromText =
  /\b(innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|DOMParser|srcdoc)\b|\bdocument\.write/;
const nodeOnly = [/["'`]node:/, /\bprocess\b/, /\bBuffer\b/];
const anywhere = [...nodeOnly, ...codeFromText];
/** Code of the AI SDK, which marks its errors with this name. A bridge knows the other side by its types alone. */
const otherSide = /vercel\.ai\.error/;

/** Modules that no measured bundle may contain, not even through a dependency. */
export const forbiddenModules: readonly string[] = ["zod"];

/**
 * Every package and app, lowest first. Imports point down only. The checks fail for a package that is missing here.
 */
export const packages: Readonly<Record<string, PackageRules>> = {
  "packages/protocol": {
    imports: [],
    isPure: true,
    isZodFree: true,
    entries: ["./grammar", "./host", "./options", "./parts", "./testkit", "./why"],
    bundles: [
      { names: ["createParser", "settle"], ceiling: 8.9 * kB, forbidden: [...anywhere, /\bzod\b/i] },
      { ceiling: 14.8 * kB, forbidden: [...anywhere, /\bzod\b/i] },
      { file: "./dist/grammar.js", ceiling: 10.3 * kB, forbidden: [...anywhere, /\bzod\b/i] },
      { file: "./dist/host.js", besideMain: true, ceiling: 0.6 * kB, forbidden: [...anywhere, /\bzod\b/i] },
      { file: "./dist/options.js", ceiling: 3 * kB, forbidden: [...anywhere, /\bzod\b/i] },
      // 3.3 kB for the parts of a run and of a log. The rest joins the pieces that another process sends, and reads arguments while they
      // are written.
      { file: "./dist/parts.js", ceiling: 5.1 * kB, forbidden: [...anywhere, /\bzod\b/i] },
      // Assembly, and the parser that writes calls with it, are in the main entry.
      { file: "./dist/why.js", besideMain: true, ceiling: 7 * kB, forbidden: [...anywhere, /\bzod\b/i] },
    ],
  },
  "packages/react": {
    imports: ["protocol", "client"],
    isPure: true,
    isZodFree: true,
    // React is the page's own, and not bundled here.
    bundles: [{ isForNode: true, ceiling: 1 * kB, forbidden: anywhere }],
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
    hasNodeEntry: true,
    entries: ["./host", "./node"],
    bundles: [
      { ceiling: 46.2 * kB, forbidden: codeFromText },
      { file: "./dist/host.js", besideMain: true, ceiling: 2.1 * kB, forbidden: codeFromText },
      { file: "./dist/node.js", isForNode: true, ceiling: 4 * kB, forbidden: codeFromText },
    ],
  },
  "packages/provider": {
    imports: ["async", "protocol"],
    isPure: true,
    hasNodeTestkit: true,
    isZodFree: true,
    entries: ["./http", "./testkit"],
    bundles: [
      { ceiling: 8.2 * kB, forbidden: anywhere },
      { file: "./dist/http.js", ceiling: 19.6 * kB, forbidden: anywhere },
    ],
  },
  "packages/provider-offline": {
    imports: ["async", "protocol", "provider"],
    isPure: true,
    isZodFree: true,
    bundles: [{ ceiling: 19.4 * kB, forbidden: codeFromText }],
  },
  "packages/provider-openai": {
    imports: ["async", "protocol", "provider"],
    isZodFree: true,
    bundles: [{ isForNode: true, ceiling: 46.4 * kB, forbidden: codeFromText }],
  },
  "packages/provider-anthropic": {
    imports: ["async", "protocol", "provider"],
    isZodFree: true,
    bundles: [{ isForNode: true, ceiling: 25.8 * kB, forbidden: codeFromText }],
  },
  "packages/provider-google": {
    imports: ["protocol", "provider"],
    isZodFree: true,
    bundles: [{ isForNode: true, ceiling: 25.4 * kB, forbidden: codeFromText }],
  },
  "packages/provider-llama": {
    imports: ["async", "protocol", "provider"],
    isZodFree: true,
    bundles: [{ isForNode: true, ceiling: 20 * kB, forbidden: codeFromText }],
  },
  "packages/storage": {
    imports: ["async", "protocol"],
    isPure: true,
    hasNodeTestkit: true,
    isZodFree: true,
    entries: ["./adapter", "./testkit"],
    bundles: [{ ceiling: 22.3 * kB, forbidden: codeFromText }],
  },
  "packages/storage-sqlite": {
    imports: ["async", "protocol", "storage"],
    isZodFree: true,
    entries: ["./lease-owner"],
    bundles: [{ isForNode: true, ceiling: 33.8 * kB, forbidden: codeFromText }],
  },
  "packages/storage-postgres": {
    imports: ["async", "protocol", "storage"],
    isZodFree: true,
    bundles: [{ isForNode: true, ceiling: 37.6 * kB, forbidden: codeFromText }],
  },
  "packages/agent": {
    imports: ["async", "protocol", "tools", "provider", "storage"],
    isPure: true,
    typeEntries: ["./driver", "./hooks"],
    entries: [
      "./auto",
      "./child",
      "./driver",
      "./failure",
      "./history",
      "./hooks",
      "./native",
      "./react",
      "./scripted",
      "./testkit",
      "./tool-search",
    ],
    bundles: [
      { ceiling: 122.3 * kB, forbidden: codeFromText },
      { file: "./dist/native.js", besideMain: true, ceiling: 2.3 * kB, forbidden: codeFromText },
      { file: "./dist/react.js", besideMain: true, ceiling: 5 * kB, forbidden: codeFromText },
      { file: "./dist/scripted.js", besideMain: true, ceiling: 2 * kB, forbidden: codeFromText },
      { file: "./dist/failure.js", besideMain: true, ceiling: 1 * kB, forbidden: codeFromText },
      { file: "./dist/history.js", besideMain: true, ceiling: 6.5 * kB, forbidden: codeFromText },
      { file: "./dist/tool-search.js", ceiling: 5 * kB, forbidden: codeFromText },
    ],
  },
  "packages/server": {
    imports: ["async", "protocol", "tools", "storage", "agent"],
    isPure: true,
    hasNodeEntry: true,
    entries: ["./bridge", "./node", "./openai"],
    bundles: [
      // 6 kB of it are the assembly of messages: it says where a point may be named.
      { ceiling: 28.9 * kB, forbidden: anywhere },
      { file: "./dist/bridge.js", ceiling: 24.4 * kB, forbidden: anywhere },
      { file: "./dist/openai.js", ceiling: 38.7 * kB, forbidden: anywhere },
      { file: "./dist/node.js", isForNode: true, ceiling: 1.5 * kB, forbidden: codeFromText },
    ],
  },
  "packages/ai-sdk": {
    imports: ["async", "protocol", "tools", "provider", "storage", "agent", "server"],
    isPure: true,
    entries: ["./chat"],
    bundles: [
      { ceiling: 22.6 * kB, forbidden: [...anywhere, otherSide] },
      { file: "./dist/chat.js", ceiling: 35.8 * kB, forbidden: [...anywhere, otherSide] },
    ],
  },
  "packages/worker": {
    imports: ["async", "protocol", "tools", "provider", "storage", "agent"],
    isPure: true,
    hasNodeTestkit: true,
    entries: ["./testkit"],
    bundles: [{ ceiling: 13 * kB, forbidden: codeFromText }],
  },
  "packages/ag-ui": {
    imports: ["protocol", "tools", "storage", "server"],
    isPure: true,
    // 9 kB of its own; the rest is `@cogency/server/bridge`.
    bundles: [{ ceiling: 36.3 * kB, forbidden: anywhere }],
  },
  "packages/acp": {
    imports: ["async", "protocol", "tools", "storage", "agent", "server"],
    isPure: true,
    hasNodeEntry: true,
    entries: ["./node"],
    bundles: [
      { isForNode: true, ceiling: 29 * kB, forbidden: codeFromText },
      { file: "./dist/node.js", isForNode: true, ceiling: 2.3 * kB, forbidden: codeFromText },
    ],
  },
  "packages/dispatch-pg-boss": {
    imports: ["protocol", "storage", "worker"],
    isZodFree: true,
    bundles: [{ isForNode: true, ceiling: 4.2 * kB, forbidden: codeFromText }],
  },
  "packages/dispatch-graphile": {
    imports: ["async", "protocol", "storage", "worker"],
    isZodFree: true,
    bundles: [{ isForNode: true, ceiling: 4.2 * kB, forbidden: codeFromText }],
  },
  "packages/dispatch-redis": {
    imports: ["async", "protocol", "storage", "worker"],
    isZodFree: true,
    bundles: [{ isForNode: true, ceiling: 4.5 * kB, forbidden: codeFromText }],
  },
  "packages/otel": {
    imports: ["protocol", "storage", "agent", "worker"],
    isPure: true,
    bundles: [{ isForNode: true, ceiling: 16.9 * kB, forbidden: anywhere }],
  },
  "packages/memory": {
    imports: ["protocol", "provider", "storage", "agent"],
    isPure: true,
    bundles: [{ isForNode: true, ceiling: 18.3 * kB, forbidden: codeFromText }],
  },
  "packages/rerun": {
    imports: ["protocol", "tools", "provider", "storage", "agent"],
    isPure: true,
    bundles: [
      // It makes agents, so it holds them.
      { isForNode: true, ceiling: 148 * kB, forbidden: codeFromText },
      { names: ["recordedCalls"], isForNode: true, ceiling: 48 * kB, forbidden: codeFromText },
    ],
  },
  "packages/plan": {
    imports: ["protocol", "tools", "agent"],
    isPure: true,
    entries: ["./log"],
    bundles: [
      { ceiling: 18.3 * kB, forbidden: codeFromText },
      { file: "./dist/log.js", ceiling: 2 * kB, forbidden: anywhere },
    ],
  },
  "packages/skills": {
    imports: ["protocol", "tools", "agent"],
    isPure: true,
    hasNodeEntry: true,
    entries: ["./commands", "./front-matter", "./node"],
    bundles: [
      { ceiling: 50.4 * kB, forbidden: codeFromText },
      { file: "./dist/node.js", isForNode: true, ceiling: 8.2 * kB, forbidden: codeFromText },
    ],
  },
  "packages/subagents": {
    imports: ["protocol", "tools", "provider", "agent", "skills"],
    isPure: true,
    hasNodeEntry: true,
    entries: ["./definition", "./node"],
    bundles: [
      { ceiling: 24.5 * kB, forbidden: codeFromText },
      { file: "./dist/definition.js", ceiling: 38 * kB, forbidden: codeFromText },
      { file: "./dist/node.js", isForNode: true, ceiling: 9 * kB, forbidden: codeFromText },
    ],
  },
  "packages/extensions": {
    imports: ["async", "protocol", "tools", "agent", "skills"],
    isPure: true,
    bundles: [{ ceiling: 22.6 * kB, forbidden: codeFromText }],
  },
  "packages/mcp": {
    imports: ["async", "protocol", "tools", "provider", "agent"],
    isPure: true,
    hasNodeEntry: true,
    entries: ["./node", "./server"],
    bundles: [
      { isForNode: true, ceiling: 42.4 * kB, forbidden: codeFromText },
      { file: "./dist/server.js", isForNode: true, ceiling: 56.3 * kB, forbidden: codeFromText },
      { file: "./dist/node.js", isForNode: true, ceiling: 8 * kB, forbidden: codeFromText },
    ],
  },
  "packages/toolbox": {
    imports: ["async", "protocol", "tools", "storage"],
    entries: ["./files", "./shell", "./undo", "./web"],
    bundles: [
      { isForNode: true, ceiling: 93.8 * kB, forbidden: codeFromText },
      { file: "./dist/undo.js", besideMain: true, isForNode: true, ceiling: 12.8 * kB, forbidden: codeFromText },
    ],
  },
  "packages/hook-programs": {
    imports: ["protocol", "tools", "agent", "toolbox"],
    bundles: [{ isForNode: true, ceiling: 52 * kB, forbidden: codeFromText }],
  },
  "packages/client": {
    imports: ["protocol"],
    isPure: true,
    isZodFree: true,
    bundles: [
      // The parts reducer of the protocol, 5.1 kB, and 9 kB of its own.
      { ceiling: 14.1 * kB, forbidden: anywhere },
      { file: "./dist/cogency-client.js", isText: true, ceiling: 14.1 * kB, forbidden: anywhere },
    ],
  },
  "packages/page": {
    imports: ["protocol", "plan"],
    isPure: true,
    hasNodeEntry: true,
    isZodFree: true,
    entries: ["./node"],
    bundles: [
      { ceiling: 8.3 * kB, forbidden: anywhere },
      { file: "./dist/node.js", isForNode: true, ceiling: 1.5 * kB, forbidden: codeFromText },
      { file: "./dist/page.js", isText: true, ceiling: 64.2 * kB, forbidden: [...anywhere, htmlFromText] },
    ],
  },
  "apps/cli": {
    imports: "all",
    isCommand: true,
    optionalPeers: ["node-llama-cpp"],
    rooms: {
      base: [],
      screen: ["base"],
      place: ["base"],
      person: ["base", "screen", "place"],
      work: ["base", "place", "person"],
      serve: ["base"],
      chat: ["base", "screen", "place", "person", "work"],
      commands: ["base", "screen", "place", "person", "work", "serve"],
      program: ["base", "place", "work", "chat", "commands"],
    },
    shipped: {
      unpacked: 5730 * kB,
      loaded: {
        start: 2.9 * kB,
        main: 44.6 * kB,
        list: 81.9 * kB,
        "run-command": 537.5 * kB,
        "chat-command": 47.9 * kB,
        chat: 138.6 * kB,
      },
      forbidden: codeFromTextInCommand,
    },
  },
  "apps/example-page": {
    imports: ["agent", "client", "provider-offline", "react", "server", "storage-sqlite", "tools", "worker"],
  },
  "apps/example-provider": { imports: ["protocol", "provider"] },
  "apps/example-server": {
    imports: [
      "ag-ui",
      "agent",
      "ai-sdk",
      "provider",
      "provider-offline",
      "server",
      "storage",
      "storage-sqlite",
      "tools",
      "worker",
    ],
  },
};
