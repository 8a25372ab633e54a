import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { licensesOf } from "@tooling/tsup/licenses";
import { build } from "esbuild";

const folder = import.meta.dirname;
const dist = join(folder, "dist");

/** Writes the script and the style of the page, each as one file, and the licenses of what they hold. `pageHtml` reads both. */
export async function bundlePage(): Promise<void> {
  const { metafile } = await build({
    entryPoints: { page: join(folder, "src/browser/main.ts") },
    absWorkingDir: folder,
    outdir: dist,
    bundle: true,
    metafile: true,
    format: "iife",
    platform: "browser",
    target: ["es2023", "chrome125", "firefox128", "safari18"],
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    logOverride: { "ignored-bare-import": "silent" },
  });
  const inputs = Object.keys(metafile.inputs).map((path) => resolve(folder, path));
  writeFileSync(join(dist, "third-party-licenses.txt"), licensesOf("@cogency/page", inputs));
}
