import { writeSync } from "node:fs";
import { version } from "../package.json";
import { keepCompiled } from "./base/compiled/keep-compiled.ts";

// The version is all that some callers ask for: it is written before anything else is loaded.
const [first, ...more] = process.argv.slice(2);
if ((first === "--version" || first === "-v") && more.length === 0) writeVersion();
else {
  keepCompiled();
  void import("./main.ts").then(({ main }) => main());
}

function writeVersion(): void {
  try {
    writeSync(1, `${version}\n`);
  } catch {
    // Its reader has gone.
  }
}
