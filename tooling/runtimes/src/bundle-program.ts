import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** A page and a worker with a program. */
export interface Bundle {
  /** The folder of `page.html` and `worker.html`, below the site. */
  folder: string;
  /** Of the bundle, minified and gzipped. */
  bytes: number;
  /** The packages of others in it. */
  others: string[];
}

/**
 * Bundles `program/<name>.js` for browsers, with the packages that are installed in `site`, and puts it beside the pages that load
 * it. Rejects if it imports something that is not installed, or that browsers do not have.
 *
 * @param folder of the site
 * @param constants what the program knows of its surroundings, by name
 */
export async function bundleProgram(
  name: string,
  site: string,
  folder: string = name,
  constants: Record<string, string> = {},
): Promise<Bundle> {
  const outfile = join(site, folder, "browser.js");
  const { metafile } = await build({
    entryPoints: [join(site, "program", `${name}.js`)],
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    define: Object.fromEntries(Object.entries(constants).map(([key, text]) => [key, JSON.stringify(text)])),
    metafile: true,
    logLevel: "silent",
  });
  for (const page of ["page.html", "worker.html"]) cpSync(join(site, "program", page), join(site, folder, page));
  const bytes = gzipSync(readFileSync(outfile), { level: 9 }).length;
  return { folder, bytes, others: [...new Set(Object.keys(metafile.inputs).flatMap(ownerOf))] };
}

/** The package of a file, if it is one of others: ours are unpacked outside of `node_modules`. */
function ownerOf(path: string): string[] {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  return name === undefined ? [] : [name];
}
