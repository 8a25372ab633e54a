import { join } from "node:path";
import { build } from "esbuild";

const folder = import.meta.dirname;

/** Writes the client as one file, for a page without a bundler. */
export async function bundleFile(): Promise<void> {
  await build({
    entryPoints: { "cogency-client": join(folder, "src/index.ts") },
    absWorkingDir: folder,
    outdir: join(folder, "dist"),
    bundle: true,
    format: "esm",
    platform: "browser",
    target: ["es2023", "chrome125", "firefox128", "safari18"],
    minify: true,
    logLevel: "warning",
    // Pieces of packages that do nothing on their own are left out, as they should be.
    logOverride: { "ignored-bare-import": "silent" },
  });
}
