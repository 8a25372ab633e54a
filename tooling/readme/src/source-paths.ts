import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** The source file behind each entry of the workspace's packages, for the compiler: `@cogency/agent/native` to `…/src/native.ts`. */
export function sourcePaths(): Record<string, string[]> {
  const entries = globSync("{packages,apps}/*/package.json", { cwd: root }).flatMap((path) => {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, path), "utf8")) as Manifest;
    return Object.keys(exports).flatMap((entry) => {
      const base = join(root, dirname(path), "src", entry === "." ? "index" : entry);
      const source = [`${base}.ts`, join(base, "index.ts")].find((file) => existsSync(file));
      return source ? [[join(name, entry), [source]] as [string, string[]]] : [];
    });
  });
  return Object.fromEntries(entries);
}

interface Manifest {
  name: string;
  exports?: Record<string, unknown>;
}
