import { readFileSync, writeFileSync } from "node:fs";

// `ai` is an ES module alone. The declarations for `require` say so of the types that they take from it, or TypeScript refuses them; what
// makes one file of the declarations leaves such words out.
const file = new URL("./dist/chat.d.cts", import.meta.url);
const text = readFileSync(file, "utf8");
const typed = text.replace(
  /^import (?:type )?(\{[^}]*\}) from 'ai';$/m,
  `import type $1 from 'ai' with { "resolution-mode": "import" };`,
);
if (typed === text) throw new Error("dist/chat.d.cts imports no types of `ai` in the form that is expected.");
writeFileSync(file, typed);
