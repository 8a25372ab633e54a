import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { type Budget, forbiddenModules } from "./budgets.ts";
import type { Outcome } from "./outcome.ts";
import { type Manifest, workspaceRoot } from "./workspace.ts";

/** Bundles what a budget names, with all it imports, and tells in what the bundle exceeds the budget. */
export async function measure(
  { path, names, ceiling, forbidden }: Budget,
  root: string = workspaceRoot,
): Promise<Outcome> {
  const subject = names ? `{ ${names.join(", ")} }` : "*";
  try {
    const { name } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")) as Manifest;
    const { text, modules } = await bundle(`export ${subject} from ${JSON.stringify(name)};`, join(root, path));
    const bytes = gzipSync(text, { level: 9 }).length;
    return {
      item: `${path} ${subject}`,
      note: `${kilobytes(bytes)} of ${kilobytes(ceiling)}`,
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

/** The minified bundle for browsers, and what is in it: the names of packages from node_modules, paths of other files. */
async function bundle(contents: string, folder: string): Promise<{ text: string; modules: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder, loader: "js" },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "es2023",
    platform: "browser",
    absWorkingDir: folder,
    logLevel: "silent",
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
  const modules = used.map((path) => /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path);
  return { text: outputFiles.map((file) => file.text).join("\n"), modules };
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(2)} kB`;
}
