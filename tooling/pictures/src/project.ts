import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The small project that the pictures show. */
export function writeProject(folder: string): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
}

const files = {
  "package.json": `${JSON.stringify({ name: "greeter", version: "1.2.0", main: "src/index.js" }, null, 2)}\n`,
  "src/index.js": 'import { greet } from "./greet.js";\n\nconsole.log(greet("world"));\n',
  "src/greet.js": 'export const greet = (name) => ["Hello", name].join(", ");\n',
};
