import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Metafile, type Plugin, transform } from "esbuild";

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
  const toolbox = dirname(fileURLToPath(import.meta.resolve("@cogency/toolbox")));
  const parts = await Promise.all([
    chunks({ start: join(app, "src/start.ts"), "readable-process": join(toolbox, "readable-process.js") }, app),
    // A sandbox sees only this one file.
    chunks({ "bridge-process": join(toolbox, "bridge-process.js") }, app),
  ]);
  return {
    files: Object.assign({}, ...parts.map(({ files }) => files)),
    inputs: parts.flatMap(({ inputs }) => inputs),
  };
}

async function chunks(entryPoints: Record<string, string>, app: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints,
    absWorkingDir: app,
    outdir: join(app, "dist"),
  });
  const { outputs } = metafile;
  const files = outputFiles.map(async ({ path, text }) => {
    const { imports = [] } = outputs[relativeTo(app, path)] ?? {};
    return [basename(path), await commonJs(text, imports)] as const;
  });
  const used = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [resolve(app, path)] : [])),
  );
  return { files: Object.fromEntries(await Promise.all(files)), inputs: [...new Set(used)] };
}

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
  plugins: [withoutNativeParts],
  logLevel: "warning",
  logOverride: { "ignored-bare-import": "silent" },
} as const satisfies BuildOptions;

type Imports = Metafile["outputs"][string]["imports"];

/** Makes CommonJS of a chunk. Imports of other chunks become calls of `require`; those of the user's modules stay imports. */
async function commonJs(text: string, imports: Imports): Promise<string> {
  const lazy = imports.flatMap(({ path, kind, external }) =>
    kind === "dynamic-import" && !external ? [basename(path)] : [],
  );
  const required = lazy.reduce(
    (rest, name) => rest.replaceAll(`import("./${name}")`, `Promise.resolve().then(() => require("./${name}"))`),
    text,
  );
  const { code } = await transform(required, {
    format: "cjs",
    platform: "node",
    target,
    minify: true,
    legalComments: "none",
    define: {
      "import.meta.url": "moduleUrl",
      "import.meta.filename": "__filename",
      "import.meta.dirname": "__dirname",
    },
  });
  return code.includes("moduleUrl") ? `"use strict";${moduleUrl}${code}` : code;
}

const moduleUrl = 'const moduleUrl=require("node:url").pathToFileURL(__filename).href;';

function relativeTo(folder: string, path: string): string {
  return path.slice(folder.length + 1).replaceAll("\\", "/");
}
