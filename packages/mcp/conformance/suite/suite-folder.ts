import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** Where the suite is installed. */
export const suiteFolder = new URL(
  ".",
  pathToFileURL(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
);
