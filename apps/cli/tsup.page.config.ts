import { defineConfig } from "tsup";

// The script and the style of the page that `trace` and `open` show, each as one file. `pageHtml` puts them into the page.
export default defineConfig({
  entry: { page: "src/page/browser/main.ts" },
  format: ["iife"],
  outExtension: () => ({ js: ".js" }),
  target: ["es2023", "chrome125", "firefox128", "safari18"],
  platform: "browser",
  noExternal: [/./],
  minify: true,
  clean: false,
  silent: true,
});
