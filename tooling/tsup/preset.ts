import { defineConfig } from "tsup";

/** Tests start JavaScript; declarations take nine tenths of the time of a build. */
const withoutTypes = process.env.COGENCY_BUILD === "javascript";

/**
 * One build for every package: ES modules first, CommonJS beside them, types for both.
 * `entry` maps the name of a file in dist/ to its source.
 */
export function preset(
  entry: Record<string, string> = { index: "src/index.ts" },
  format: ("esm" | "cjs")[] = ["esm", "cjs"],
) {
  return defineConfig({
    entry,
    format,
    dts: !withoutTypes,
    clean: withoutTypes ? ["!**/*.d.ts", "!**/*.d.cts"] : true,
    target: "es2023",
    platform: "neutral",
    // What two entries share is one file, so that its classes are the same whichever entry they come from.
    splitting: true,
    treeshake: true,
    // Built-in modules keep their prefix: some, such as node:sqlite, exist only under it.
    external: [/^node:/],
    removeNodeProtocol: false,
    silent: true,
    // Maps lead to `src`, which is published beside `dist`: one copy of each source instead of two in the maps.
    sourcemap: true,
    // Puts constants in place of their names, which bundlers of what is built can no longer do.
    esbuildOptions(options) {
      options.minifySyntax = true;
      options.sourcesContent = false;
    },
  });
}
