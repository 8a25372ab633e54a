import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes the small project that the peers work in, with a failing test, anew. */
export function writeProject(folder: string, port: number): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [file, content] of Object.entries(files(port))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  const git = (...words: string[]) => execFileSync("git", words, { cwd: folder, stdio: "ignore" });
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=Peers", "-c", "user.email=peers@example.org", "commit", "--quiet", "-m", "begin");
}

function files(port: number): Record<string, string> {
  const manifest = { name: "small", version: "1.0.0", type: "module", scripts: { test: "node --test" } };
  return {
    "package.json": `${JSON.stringify(manifest, null, 2)}\n`,
    ".gitignore": "build/\nnode_modules/\n*.log\n",
    "src/sum.js": "// foo: adds two numbers\nexport const sum = (left, right) => left - right;\n",
    "test/sum.test.js": `import assert from "node:assert";
import { test } from "node:test";
import { sum } from "../src/sum.js";

test("adds", () => assert.equal(sum(1, 2), 3));
test("adds nothing", () => assert.equal(sum(1, 0), 2));
`,
    "server.js": `import { createServer } from "node:http";

createServer((_request, response) => response.end("hello from the server\\n")).listen(${port}, "127.0.0.1");
`,
    "build/out.js": "// built\n",
  };
}
