import { basename, join, resolve } from "node:path";
import { build } from "esbuild";
import type { Bundle } from "./bundle.ts";

/** Bundles the script and the style of the page that `trace` and `open` show, each as one file. `pageHtml` puts them into the page. */
export async function bundlePage(app: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: { page: join(app, "src/page/browser/main.ts") },
    absWorkingDir: app,
    outdir: join(app, "dist"),
    bundle: true,
    write: false,
    metafile: true,
    format: "iife",
    platform: "browser",
    target: ["es2023", "chrome125", "firefox128", "safari18"],
    minify: true,
    legalComments: "none",
    logLevel: "warning",
  });
  const files = Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]));
  return { files, inputs: Object.keys(metafile.inputs).map((path) => resolve(app, path)) };
}
