import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { type BuildOptions, build, type Plugin, transform } from "esbuild";
import { directImports } from "./direct-imports.ts";
import { type Chunk, pack } from "./pack.ts";

/** The built app: the texts of its files by their names, and the absolute paths of what is in them. */
export interface Bundle {
  files: Record<string, string>;
  inputs: string[];
}

/** The oldest Node that `engines` names. */
const target = "node22.19";

/**
 * Bundles the app. Commands are chunks of their own, which are loaded when they are used. All files are CommonJS: Node starts
 * it without its loader of ES modules, and loads no more of a built-in module than is asked for, while a static import of
 * `node:http` or `node:crypto` costs as much as Node itself.
 */
export async function bundle(app: string): Promise<Bundle> {
  const toolbox = join(app, "../../packages/toolbox/src");
  const parts = await Promise.all([
    bundled("start", join(app, "src/start.ts"), commands, app, { libraries: apart, parts: later }),
    bundled("readable-process", join(toolbox, "web/page/readable-process.ts"), [], app),
    // A sandbox sees only the one file.
    bundled("bridge-process", join(toolbox, "sandbox/egress/bridge-process.ts"), [], app),
    bundled("forward-process", join(toolbox, "sandbox/network/forward-process.ts"), [], app),
  ]);
  return {
    files: Object.assign({}, ...parts.map(({ files }) => files)),
    inputs: [...new Set(parts.flatMap(({ inputs }) => inputs))],
  };
}

/** Whose chunks are put together. */
const commands = ["main", "configure", "list", "run-command", "chat-command", "chat"];

/** What runs load later, in one file each. */
const later = ["skill-parts", "open-module"];

/** Large libraries that many runs never use: chunks of their own, by one of the names that they export. */
const apart: Readonly<Record<string, string>> = {
  zod: "object",
  re2js: "RE2JS",
  unbash: "parse",
  yaml: "parseDocument",
};

async function bundled(
  name: string,
  entry: string,
  used: readonly string[],
  app: string,
  { libraries = {}, parts = [] }: { libraries?: Readonly<Record<string, string>>; parts?: readonly string[] } = {},
): Promise<Bundle> {
  const ownChunks = Object.keys(libraries).map((library) => [`apart-${library}`, `apart:${library}`]);
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: { [name]: entry, ...Object.fromEntries(ownChunks) },
    absWorkingDir: app,
    outdir: join(app, "dist"),
  });
  const texts = outputFiles
    .filter(({ path }) => !basename(path).startsWith("apart-"))
    .map(({ path, text }) => [basename(path), text] as const);
  const files = await filesOf(texts, [name, ...used], parts);
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [resolve(app, path)] : [])),
  );
  return { files, inputs };
}

/** Puts chunks, which are ES modules by their names, together into the files of these commands. */
export async function filesOf(
  texts: readonly (readonly [string, string])[],
  commands: readonly string[],
  parts: readonly string[] = [],
): Promise<Record<string, string>> {
  const chunks = await Promise.all(
    texts.map(async ([name, text]): Promise<Chunk> => ({ name, ...(await chunkCode(text)) })),
  );
  const files = [...pack(chunks, commands, parts)].map(async ([file, text]) => [file, await minified(text)] as const);
  return Object.fromEntries(await Promise.all(files));
}

/** Entries that only use a library: what an entry reaches becomes a chunk that holds nothing else. */
const librariesApart: Plugin = {
  name: "libraries-apart",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^apart:/ }, ({ path }) => ({ path: path.slice("apart:".length), namespace: "apart" }));
    onLoad({ filter: /./, namespace: "apart" }, ({ path }) => ({
      contents: `export { ${apart[path]} } from ${JSON.stringify(path)};`,
      resolveDir: join(import.meta.dirname, "../../../packages", path === "yaml" ? "skills" : "toolbox"),
    }));
  },
};

/** The ES modules of a library whose entry for Node is CommonJS, all of which would be evaluated when a chunk that may use it is. */
const yamlModules: Plugin = {
  name: "yaml-modules",
  setup({ onResolve }) {
    onResolve({ filter: /^yaml$/ }, ({ resolveDir }) => {
      const entry = createRequire(join(resolveDir, "any.js")).resolve("yaml/package.json");
      return { path: join(dirname(entry), "browser/dist/index.js"), sideEffects: false };
    });
  },
};

/** The SDK of MCP checks JSON with one of two libraries. The other one, which it takes in Node, is large and makes code from text. */
const mcpValidator: Plugin = {
  name: "mcp-validator",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/(client|server)\/_shims$/ }, ({ path, resolveDir }) => ({
      path: path.replace("/_shims", ""),
      namespace: "mcp-validator",
      pluginData: resolveDir,
    }));
    onLoad({ filter: /./, namespace: "mcp-validator" }, ({ path, pluginData }) => ({
      contents: [
        `export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from "${path}/validators/cf-worker";`,
        'export { default as process } from "node:process";',
        "export const CORS_IS_POSSIBLE = false;",
      ].join("\n"),
      resolveDir: pluginData,
    }));
  },
};

/** Libraries look for these in vain: they are compiled where they are installed, which nothing is beside a command. */
const nativeParts = /^(bufferutil|canvas|utf-8-validate)$/;

const withoutNativeParts: Plugin = {
  name: "without-native-parts",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: nativeParts }, ({ path }) => ({ path, namespace: "native-part" }));
    onLoad({ filter: /./, namespace: "native-part" }, ({ path }) => ({
      contents: `throw new Error("${path} is not installed");`,
    }));
  },
};

const options = {
  bundle: true,
  write: false,
  metafile: true,
  // Only ES modules can be split. They become CommonJS afterwards.
  format: "esm",
  splitting: true,
  outExtension: { ".js": ".cjs" },
  chunkNames: "[name]-[hash]",
  platform: "node",
  mainFields: ["module", "main"],
  target,
  minifySyntax: true,
  legalComments: "none",
  plugins: [directImports, librariesApart, yamlModules, withoutNativeParts, mcpValidator],
  // Compiled for each machine, and never a part of the app: `place/modules/llama-library.ts` says where it is found.
  external: ["node-llama-cpp"],
  logLevel: "warning",
  logOverride: { "ignored-bare-import": "silent" },
} as const satisfies BuildOptions;

/**
 * Makes CommonJS of a chunk. What it imports, from other chunks and from Node, is loaded when it is first used. Imports of the
 * user's modules stay as they are.
 */
async function chunkCode(text: string): Promise<Pick<Chunk, "code" | "imports">> {
  const taken = ownNames.exec(text);
  if (taken) throw new Error(`A source names something ${taken[0]}, which is a name of the build. Rename it.`);
  // A default import of a built-in module is the same object, and stays a name that can be recognized.
  const { code } = await transform(text.replaceAll(/^import \* as (\w+) from "node:/gm, 'import $1 from "node:'), {
    format: "cjs",
    platform: "node",
    target,
    legalComments: "none",
    define: {
      "import.meta.url": "$moduleUrl",
      "import.meta.filename": "__filename",
      "import.meta.dirname": "__dirname",
    },
  });
  const loads = new Map<string, string>();
  const body = code.replaceAll(/^var (import_\w+) = (.*\brequire\(".*);$/gm, (_, name: string, load: string) => {
    loads.set(name, load);
    return "";
  });
  const used = new Set<string>();
  const lazy = body.replaceAll(/\bimport_\w+\b/g, (name) => {
    if (!loads.has(name)) return name;
    used.add(name);
    return `(${name}())`;
  });
  const needed = [...loads].filter(([name]) => used.has(name));
  const lines = needed.map(([name, load]) => `const ${name} = $once(() => ${load.replace(ofChunk, "$chunkOf($1)")});`);
  const dynamic = lazy
    .replaceAll(/\bimport\(("\.\/[^"]+\.cjs")\)/g, "Promise.resolve().then(() => $chunkOf($1))")
    .replaceAll(/\bimport\(("node:[^"]+")\)/g, "Promise.resolve().then(() => require($1))");
  return {
    code: [...lines, dynamic].join("\n"),
    imports: needed.flatMap(([, load]) => {
      const [, file] = ofChunk.exec(load) ?? [];
      return file === undefined ? [] : [basename(JSON.parse(file))];
    }),
  };
}

/** What the build adds to the code of a chunk. Code that declares such a name would use its own in its place. */
const ownNames = /\$(?:once|evaluated|moduleUrl|chunkOf|file\d+)\b/;

const ofChunk = /\brequire\(("\.\/[^"]+\.cjs")\)/;

async function minified(text: string): Promise<string> {
  const helpers = [once, ...(text.includes("$moduleUrl") ? [moduleUrl] : [])];
  const { code } = await transform([...helpers, text].join("\n"), {
    format: "cjs",
    platform: "node",
    target,
    minify: true,
    legalComments: "none",
  });
  return code;
}

const once = "const $once = (make) => { let made; return () => (made ??= make()); };";
const moduleUrl = 'const $moduleUrl = require("node:url").pathToFileURL(__filename).href;';
