import { isBuiltin } from "node:module";
import { posix } from "node:path";
import ts from "typescript";
import { type PackageRules, packages } from "../packages.ts";
import type { Manifest, WorkspacePackage } from "../workspace.ts";
import { entryProblemsOf } from "./entry-file.ts";
import { type Import, importsOf } from "./imports.ts";
import { nodeGlobalsIn } from "./node-globals.ts";

/** A file of a package; `path` is relative to the package, with forward slashes. */
export interface SourceFile {
  path: string;
  text: string;
}

/** Matches names of files that may contain imports. */
export const sourceName = /\.[cm]?[jt]sx?$/;

/**
 * The kind of a file decides what it may load. `built` files are in dist/; `node` is the entry `./node` and its room;
 * `development` is everything unpublished.
 */
type Kind = "runtime" | "testkit" | "node" | "built" | "development";

/** Finds where a file breaks the layering. Returns one line each, with its place. */
export function violationsOf(
  file: SourceFile,
  owner: WorkspacePackage,
  workspace: readonly WorkspacePackage[],
): string[] {
  const rules = packages[owner.path];
  if (!rules) return [`${owner.path} is not in the table of tooling/checks/src/packages.ts`];
  const at = (line: number, problem: string) => `${owner.path}/${file.path}:${line} ${problem}`;
  const kind = kindOf(file.path);
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);

  const problems = importsOf(source).flatMap((found) => {
    const problem = importProblem(found, { kind, path: file.path, rules, owner, workspace });
    return problem === undefined ? [] : [at(found.line, problem)];
  });
  if (runsAnywhere(rules, kind)) {
    for (const { name, line } of nodeGlobalsIn(file.path, file.text)) {
      problems.push(at(line, `uses ${name}, which exists only in Node`));
    }
  }
  if (/^src\/(.*\/)?index\.[cm]?[jt]sx?$/.test(file.path)) {
    problems.push(...entryProblemsOf(source).map(({ line, problem }) => at(line, problem)));
  }
  return problems;
}

/** The dependencies with which a package.json breaks the layering. */
export function manifestViolationsOf({ path, manifest }: WorkspacePackage): string[] {
  const rules = packages[path];
  if (!rules) return [`${path} is not in the table of tooling/checks/src/packages.ts`];
  const published = { ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies };
  return Object.keys({ ...published, ...manifest.devDependencies }).flatMap((name) => {
    const problem = manifestProblem(name, rules, name in published);
    return problem === undefined ? [] : [`${path}/package.json ${problem}`];
  });
}

function manifestProblem(name: string, rules: PackageRules, isPublished: boolean): string | undefined {
  if (rules.isZodFree && name === "zod") return "depends on zod";
  if (!isPublished) return undefined;
  if (rules.isCommand && rules.optionalPeers?.includes(name)) return undefined;
  if (rules.isCommand) return `depends on ${name}, which its bundle should hold`;
  if (name.startsWith("@tooling/")) return `depends on ${name} at run time`;
  if (name.startsWith("@cogency/") && !mayImport(rules, name)) return `depends on ${name}, which is not below it`;
  if (rules.imports !== "all" && rules.imports.length === 0) return `depends on ${name}, but must depend on nothing`;
  return undefined;
}

const developmentName = /\.(test|test-d|spec|bench)\.[cm]?[jt]sx?$/;

const builtRoom = /^dist\/(testkit|node)\.(js|cjs|d\.ts|d\.cts)$/;
const sourceRoom = /^src\/(testkit|node)\//;

function kindOf(path: string): Kind {
  const [, built] = builtRoom.exec(path) ?? [];
  if (built) return built as Kind;
  if (path.startsWith("dist/")) return "built";
  if (developmentName.test(path) || !/^(src|bin)\//.test(path)) return "development";
  const [, room = "runtime"] = sourceRoom.exec(path) ?? [];
  return room as Kind;
}

function runsAnywhere({ isPure, hasNodeTestkit, hasNodeEntry }: PackageRules, kind: Kind): boolean {
  const isForNode = (kind === "testkit" && hasNodeTestkit) || (kind === "node" && hasNodeEntry);
  return isPure === true && kind !== "development" && !isForNode;
}

interface Context {
  kind: Kind;
  path: string;
  rules: PackageRules;
  owner: WorkspacePackage;
  workspace: readonly WorkspacePackage[];
}

function importProblem({ specifier }: Import, context: Context): string | undefined {
  const { kind, path, rules, owner } = context;
  if (specifier === undefined) {
    return kind === "development" || owner.path.startsWith("apps/")
      ? undefined
      : "imports a name that is computed at run time";
  }
  if (/^(\.{0,2}\/|\.{1,2}$)/.test(specifier)) {
    const target = specifier.startsWith("/") ? `..${specifier}` : posix.join(posix.dirname(path), specifier);
    const problem = fileProblem(target, path, kind) ?? nodeRoomProblem(target, kind, rules);
    return problem && `imports "${specifier}", ${problem}`;
  }
  if (isBuiltin(specifier) || specifier.startsWith("node:")) {
    if (/^(node:)?module$/.test(specifier) && kind !== "development" && !owner.path.startsWith("apps/"))
      return `imports "${specifier}", with which it could load what this check does not see`;
    return runsAnywhere(rules, kind) ? `imports "${specifier}", which exists only in Node` : undefined;
  }
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  if (rules.isZodFree && name === "zod") return `imports "${specifier}"`;
  if (name === owner.manifest.name) {
    return kind === "development" ? undefined : `imports "${specifier}" by its own name`;
  }
  const { dependencies, peerDependencies, optionalDependencies, devDependencies } = owner.manifest;
  // The bundle of a command holds its development dependencies.
  const bundled = rules.isCommand && kind === "runtime" ? devDependencies : {};
  const published = { ...dependencies, ...peerDependencies, ...optionalDependencies, ...bundled };
  if (name.startsWith("@tooling/") && kind !== "development") return `imports "${specifier}" at run time`;
  if (kind === "development") {
    return name in { ...published, ...devDependencies }
      ? subpathProblem(specifier, name, context)
      : `imports "${specifier}", which is no dependency`;
  }
  if (name.startsWith("@cogency/") && !mayImport(rules, name)) return `imports "${specifier}", which is not below it`;
  if (!(name in published)) return `imports "${specifier}", which is not in its dependencies`;
  if (kind === "runtime" && /^@cogency\/[^/]+\/testkit$/.test(specifier))
    return `imports "${specifier}" outside of tests`;
  return subpathProblem(specifier, name, context);
}

/** Why a file must not be loaded. `target` and `path` are relative to the package. */
function fileProblem(target: string, path: string, kind: Kind): string | undefined {
  if (target.startsWith("..")) return "which is outside of the package";
  if (kind === "development" || target === "package.json") return undefined;
  // The compiler also finds a file without its extension.
  if (developmentName.test(target) || developmentName.test(`${target}.ts`))
    return "which is no part of what is published";
  const top = path.startsWith("src/") ? "src/" : "dist/";
  return !target.startsWith(top) || target.includes("/node_modules/") ? `which is not in ${top}` : undefined;
}

/** Why what runs anywhere must not load a file of the room `node`. */
function nodeRoomProblem(target: string, kind: Kind, rules: PackageRules): string | undefined {
  const isOfRoom = target.startsWith("src/node/") || builtRoom.exec(target)?.[1] === "node";
  return rules.hasNodeEntry && isOfRoom && runsAnywhere(rules, kind) ? "which exists only in Node" : undefined;
}

function mayImport(rules: PackageRules, name: string): boolean {
  return rules.imports === "all" || rules.imports.includes(name.slice("@cogency/".length));
}

/** Only the `exports` of a package of the workspace can be imported. */
function subpathProblem(specifier: string, name: string, { workspace }: Context): string | undefined {
  const target = workspace.find(({ manifest }) => manifest.name === name);
  if (!target || !name.startsWith("@cogency/")) return undefined;
  return `.${specifier.slice(name.length)}` in entriesOf(target.manifest)
    ? undefined
    : `imports "${specifier}", which ${name} does not export`;
}

function entriesOf({ exports }: Manifest): Record<string, unknown> {
  return typeof exports === "object" ? exports : { ".": exports };
}
