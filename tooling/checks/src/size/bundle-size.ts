import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import type { Outcome } from "../outcome.ts";
import { type Bundle, forbiddenModules, packages } from "../packages.ts";
import { type Manifest, workspaceRoot } from "../workspace.ts";
import { kilobytes } from "./kilobytes.ts";

/** A bundle, with the path of its package, such as `packages/protocol`. */
export interface MeasuredBundle extends Bundle {
  path: string;
}

/** All bundles in the table of packages. */
export function measuredBundles(): MeasuredBundle[] {
  return Object.entries(packages).flatMap(([path, { bundles = [] }]) => bundles.map((bundle) => ({ path, ...bundle })));
}

/** Bundles an entry of the table with its imports. Reports a bundle above its ceiling, and forbidden content in it. */
export async function measure(
  { path, names, file, besideMain, isForNode, ceiling, forbidden }: MeasuredBundle,
  root: string = workspaceRoot,
): Promise<Outcome> {
  const subject = names ? `{ ${names.join(", ")} }` : (file ?? "*");
  try {
    const { name } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")) as Manifest;
    const folder = join(root, path);
    const exported = `export ${names ? subject : "*"} from ${JSON.stringify(file ?? name)};`;
    const main = besideMain ? `export * from ${JSON.stringify(name)};` : "";
    const { text, modules } = await bundle(main + exported, folder, isForNode);
    const bytes = gzipped(text) - (besideMain ? gzipped((await bundle(main, folder, isForNode)).text) : 0);
    return {
      item: `${path} ${subject}`,
      note: `${kilobytes(bytes)} of ${kilobytes(ceiling)}${besideMain ? " beside the main entry" : ""}`,
      problems: [
        ...(bytes > ceiling ? [`weighs ${bytes - ceiling} bytes too much`] : []),
        ...(modules.length === 0 ? ["is empty"] : []),
        ...forbidden.filter((pattern) => pattern.test(text)).map((pattern) => `holds ${pattern}`),
        ...forbiddenModules.filter((module) => modules.includes(module)).map((module) => `contains ${module}`),
      ],
    };
  } catch (error) {
    return { item: `${path} ${subject}`, note: "", problems: [error instanceof Error ? error.message : String(error)] };
  }
}

/**
 * The minified bundle, for browsers unless `isForNode`, and what is in it: the names of packages from node_modules,
 * paths of other files.
 */
async function bundle(
  contents: string,
  folder: string,
  isForNode = false,
): Promise<{ text: string; modules: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder, loader: "js" },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "es2023",
    platform: isForNode ? "node" : "browser",
    plugins: isForNode ? [othersOutside] : [],
    absWorkingDir: folder,
    logLevel: "silent",
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
  const modules = used.map((path) => /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path);
  return { text: outputFiles.map((file) => file.text).join("\n"), modules };
}

/** Keeps imports of other people's packages out of the bundle. */
const othersOutside: Plugin = {
  name: "others-outside",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) =>
      path.startsWith("@cogency/") ? undefined : { path, external: true },
    );
  },
};

function gzipped(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}
