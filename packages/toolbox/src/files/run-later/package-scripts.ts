/**
 * Whether a change of a `package.json` may change what runs at the next install, test or build. Every field counts, except
 * those that only describe the package or say which of its sources is loaded, and plain versions of packages that it named
 * before. Text that is not valid JSON counts as changed.
 */
export function changesScripts(before: string | undefined, after: string): boolean {
  const [old, new_] = [before === undefined ? {} : parsed(before), parsed(after)];
  if (old === undefined || new_ === undefined) return true;
  const keys = new Set([...Object.keys(old), ...Object.keys(new_)]);
  for (const key of [...harmlessFields, ...dependencies]) keys.delete(key);
  return [...keys].some((key) => !isSame(old[key], new_[key])) || bringsPackages(old, new_);
}

/** Names what a change of a `package.json` may change of what runs; undefined if nothing, see `changesScripts`. */
export function changedScripts(before: string | undefined, after: string): string | undefined {
  if (!changesScripts(before, after)) return undefined;
  const [old, new_] = [before === undefined ? {} : parsed(before), parsed(after)];
  if (old === undefined || new_ === undefined) return "";
  const scripts = differing(recordOf(old.scripts) ?? {}, recordOf(new_.scripts) ?? {});
  const fields = differing(old, new_).filter((key) => !harmlessFields.includes(key) && key !== "scripts");
  return [
    ...(scripts.length > 0 ? [`scripts ${listed(scripts)}`] : []),
    ...(fields.length > 0 ? [listed(fields)] : []),
  ].join("; ");
}

function differing(old: Manifest, new_: Manifest): string[] {
  return [...new Set([...Object.keys(old), ...Object.keys(new_)])].filter((key) => !isSame(old[key], new_[key]));
}

function listed(names: readonly string[]): string {
  const shown = names
    .slice(0, mostNamed)
    .map((name) => (name.length > longestName ? `${name.slice(0, longestName)}…` : name));
  return shown.join(", ") + (names.length > mostNamed ? ", …" : "");
}

const mostNamed = 10;
const longestName = 60;

/** Fields that describe the package, or say which of its own sources is loaded. */
const harmlessFields = [
  ...["name", "version", "description", "keywords", "license", "licenses", "author", "contributors", "maintainers"],
  ...["funding", "homepage", "bugs", "repository", "type", "main", "module", "browser", "exports", "types", "typings"],
  ...["typesVersions", "sideEffects", "engines", "os", "cpu"],
];

/** An install fetches these packages and runs their scripts. */
const dependencies = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

type Manifest = Record<string, unknown>;

/** Whether a package is new, or comes from another place than before. */
function bringsPackages(old: Manifest, new_: Manifest): boolean {
  const known = new Set(dependencies.flatMap((key) => Object.keys(recordOf(old[key]) ?? {})));
  return dependencies.some((key) => {
    if (isSame(old[key], new_[key]) || new_[key] === undefined) return false;
    const [was, is] = [recordOf(old[key]) ?? {}, recordOf(new_[key])];
    if (is === undefined) return true;
    return Object.entries(is).some(([name, spec]) => {
      if (Object.hasOwn(was, name) && isSame(was[name], spec)) return false;
      return !known.has(name) || !isPlainVersion(spec);
    });
  });
}

/** Whether it is a range of versions or a tag, and not an address, path, archive or alias. */
function isPlainVersion(spec: unknown): boolean {
  if (typeof spec !== "string" || spec.length > longestVersion || archiveName.test(spec)) return false;
  const parts = spec.split(/[\s|]+/).filter((part) => part !== "" && part !== "-");
  return distTag.test(spec) || parts.every((part) => rangeOperator.test(part) || versionRange.test(part));
}

const longestVersion = 200;
const archiveName = /\.(?:tgz|tar|tar\.gz)$/i;
const distTag = /^[a-z][a-z\d-]*$/i;
const rangeOperator = /^[<>=~^]+$/;
const versionRange = /^[<>=~^v]*[\dxX*]+(?:\.[\dxX*]+){0,2}(?:[-+][\w.+-]*)?$/;

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function recordOf(value: unknown): Manifest | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function parsed(text: string): Manifest | undefined {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}
