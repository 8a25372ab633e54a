import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packages } from "../packages.ts";
import { runNode } from "../run-node.ts";
import type { Entry, Installation } from "./packed-install.ts";

/** The names that an entry exports at run time, sorted. `cjs` is undefined if `exports` names no CommonJS file. */
export interface RuntimeNames {
  entry: Entry;
  esm: string[];
  cjs: string[] | undefined;
  problems: string[];
}

/** The output of a loader for one entry. */
type Loaded = { names: string[] } | { error: string };

const loaders = {
  esm: { file: "load.mjs", load: "await import(specifier)" },
  cjs: { file: "load.cjs", load: "require(specifier)" },
};

/** Imports and requires every entry of an installation. Both must export the same names, and at least one unless the entry is of types. */
export async function runtimeNames({ packages: installed, consumer }: Installation): Promise<RuntimeNames[]> {
  const entries = installed.flatMap((one) => one.entries);
  const specifiers = entries.map(({ specifier }) => specifier);
  const required = entries.filter(({ hasRequire }) => hasRequire).map(({ specifier }) => specifier);
  const [esm, cjs] = await Promise.all([load("esm", specifiers, consumer), load("cjs", required, consumer)]);

  return entries.map((entry) => {
    const imported = esm[entry.specifier] ?? { error: "was not loaded" };
    const loaded = entry.hasRequire ? (cjs[entry.specifier] ?? { error: "was not loaded" }) : undefined;
    const problems: string[] = [];
    if ("error" in imported) problems.push(`import "${entry.specifier}": ${imported.error}`);
    else if (imported.names.length === 0 && !exportsTypesAlone(entry))
      problems.push(`import "${entry.specifier}": exports nothing`);
    if (loaded && "error" in loaded) problems.push(`require("${entry.specifier}"): ${loaded.error}`);
    if (loaded && "names" in loaded && "names" in imported && String(loaded.names) !== String(imported.names)) {
      problems.push(`require("${entry.specifier}") gives ${loaded.names}, import gives ${imported.names}`);
    }
    const namesOf = (one: Loaded | undefined) => (one && "names" in one ? one.names : []);
    return { entry, esm: namesOf(imported), cjs: loaded && namesOf(loaded), problems };
  });
}

function exportsTypesAlone({ owner, subpath }: Entry): boolean {
  return packages[owner.source.path]?.typeEntries?.includes(subpath) ?? false;
}

async function load(kind: keyof typeof loaders, specifiers: string[], folder: string): Promise<Record<string, Loaded>> {
  const loader = loaders[kind];
  const file = join(folder, loader.file);
  writeFileSync(
    file,
    `void (async () => {
      const loaded = {};
      for (const specifier of ${JSON.stringify(specifiers)}) {
        try {
          loaded[specifier] = { names: Object.keys(${loader.load}).sort() };
        } catch (error) {
          loaded[specifier] = { error: String(error) };
        }
      }
      process.stdout.write(JSON.stringify(loaded), () => process.exit(0));
    })();\n`,
  );
  const { stdout } = await runNode([file], folder);
  return stdout === "" ? {} : JSON.parse(stdout);
}
