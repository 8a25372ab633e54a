import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build, type Plugin, transform } from "esbuild";
import { type Manifest, workspaceRoot } from "../workspace.ts";
import { kilobytes } from "./kilobytes.ts";

// `pnpm size:parts [--package agent] [--files] [NAME …]`: who brings what into a bundle of these exports (`createAgent`). A part is a
// folder or, with `--files`, a file; its weight is how much lighter the gzipped bundle is without it.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { package: { type: "string", default: "agent" }, files: { type: "boolean", default: false } },
});
const names = positionals.length > 0 ? positionals : ["createAgent"];
const folder = join(workspaceRoot, "packages", values.package);

/** Bundles the sources of our packages, because `dist` no longer says from which file a line comes. */
const sources: Plugin = {
  name: "sources",
  setup({ onResolve }) {
    onResolve({ filter: /^@cogency\// }, ({ path }) => {
      const [, name = "", ...entry] = path.split("/");
      const src = join(workspaceRoot, "packages", name, "src", ...entry);
      const file = [`${src}.ts`, join(src, "index.ts")].find((candidate) => existsSync(candidate));
      return file ? { path: file, sideEffects: false } : undefined;
    });
  },
};

const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
const { outputFiles } = await build({
  stdin: { contents: `export { ${names.join(", ")} } from "${name}";`, resolveDir: folder, loader: "js" },
  bundle: true,
  minifySyntax: true,
  minifyIdentifiers: true,
  format: "esm",
  target: "es2023",
  plugins: [sources],
  absWorkingDir: workspaceRoot,
  write: false,
});

// Without minified whitespace, a comment with the path stands before what comes from each file.
const pieces = (outputFiles[0]?.text ?? "").split(/^\/\/ (.*\.[cm]?[jt]s)$/m);
const files = pieces.flatMap((text, at) =>
  at % 2 === 0 && at > 0 ? [{ part: partOf(pieces[at - 1] ?? ""), text }] : [],
);

function partOf(path: string): string {
  const known = path.replace(/^.*node_modules\//, "");
  if (values.files) return known;
  return known.startsWith("packages/")
    ? dirname(known)
    : known
        .split("/")
        .slice(0, known.startsWith("@") ? 2 : 1)
        .join("/");
}

async function weight(parts: typeof files): Promise<number> {
  const { code } = await transform(parts.map(({ text }) => text).join("\n"), {
    minifyWhitespace: true,
    logLevel: "silent",
  });
  return gzipSync(code, { level: 9 }).length;
}

const whole = await weight(files);
const parts = await Promise.all(
  [...new Set(files.map(({ part }) => part))].map(async (part) => ({
    part,
    bytes: whole - (await weight(files.filter((file) => file.part !== part))),
  })),
);
for (const { part, bytes } of parts.sort((a, b) => b.bytes - a.bytes)) {
  console.log(`${kilobytes(bytes).padStart(9)}  ${part}`);
}
console.log(
  `${kilobytes(whole).padStart(9)}  { ${names.join(", ")} } of ${name}, gzipped; parts that share text weigh less alone`,
);
