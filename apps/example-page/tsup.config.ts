import { defineConfig } from "tsup";

/** One file for the browser, with everything that it imports. The server runs from its sources. */
export default defineConfig({
  entry: { page: "page/page.ts" },
  format: "esm",
  target: "es2023",
  platform: "browser",
  noExternal: [/./],
  clean: true,
  silent: true,
});
