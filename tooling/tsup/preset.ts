import { defineConfig } from "tsup";

/**
 * One build for every package: ESM first, CommonJS beside it, types for both.
 * `entry` maps the name of a file in dist/ to its source.
 */
export function preset(entry: Record<string, string> = { index: "src/index.ts" }, format: ("esm" | "cjs")[] = ["esm", "cjs"]) {
  return defineConfig({ entry, format, dts: true, clean: true, target: "es2023", platform: "neutral", treeshake: true, silent: true });
}
