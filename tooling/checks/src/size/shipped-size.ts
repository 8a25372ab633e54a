import { globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Outcome } from "../outcome.ts";
import type { Shipped } from "../packages.ts";
import { kilobytes } from "./kilobytes.ts";

/** Weighs a built command: all that is published, and the code that Node loads for some of its files. */
export function shippedSize(path: string, folder: string, { unpacked, loaded, forbidden }: Shipped): Outcome[] {
  const files = globSync("{bin,dist}/**/*", { cwd: folder }).filter((file) => statSync(join(folder, file)).isFile());
  const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  const code = files.filter((file) => file.endsWith(".cjs"));
  const found = code.flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    return forbidden.filter((pattern) => pattern.test(text)).map((pattern) => `${file} holds ${pattern}`);
  });
  return [
    weighed(`${path} as published`, bytes, unpacked, found),
    ...Object.entries(loaded).map(([name, ceiling]) => loadedSize(path, join(folder, "dist"), name, ceiling)),
  ];
}

function loadedSize(path: string, dist: string, name: string, ceiling: number): Outcome {
  const item = `${path} ${name}`;
  const first = readdirSync(dist).find((file) => file.replace(/(-[A-Z\d]{8})?\.cjs$/, "") === name);
  if (first === undefined) return { item, note: "", problems: [`dist/ has no ${name}`] };
  const texts = loadedFiles(first, dist).map((file) => readFileSync(join(dist, file), "utf8"));
  return weighed(item, gzipSync(texts.join("\n"), { level: 9 }).length, ceiling, []);
}

/** A file of dist/ and those that are loaded with it: what it requires at its top, and not in a function. */
export function loadedFiles(first: string, dist: string): string[] {
  const files = new Set([first]);
  for (const file of files) {
    const text = readFileSync(join(dist, file), "utf8").replaceAll(/=>\s*require\("[^"]+"\)/g, "");
    for (const [, name = ""] of text.matchAll(/\brequire\("\.\/([^"]+)"\)/g)) files.add(name);
  }
  return [...files];
}

function weighed(item: string, bytes: number, ceiling: number, found: readonly string[]): Outcome {
  const excess = bytes > ceiling ? [`weighs ${bytes - ceiling} bytes too much`] : [];
  return { item, note: `${kilobytes(bytes)} of ${kilobytes(ceiling)}`, problems: [...excess, ...found] };
}
