/**
 * Whether a change of a `package.json` changes what is run because of it, at the next install, test or build: everything
 * in it counts but what only describes the package or says which of its sources is loaded, and other plain versions of
 * packages that were named before. What cannot be compared counts as changed.
 */
export function changesScripts(before: string | undefined, after: string): boolean {
  const [old, new_] = [before === undefined ? {} : parsed(before), parsed(after)];
  if (old === undefined || new_ === undefined) return true;
  const keys = new Set([...Object.keys(old), ...Object.keys(new_)]);
  for (const key of [...harmlessFields, ...dependencies]) keys.delete(key);
  return [...keys].some((key) => !isSame(old[key], new_[key])) || bringsPackages(old, new_);
}

/** They describe the package, or say which of its own sources is loaded by whom, as the sources themselves do. */
const harmlessFields = [
  ...["name", "version", "description", "keywords", "license", "licenses", "author", "contributors", "maintainers"],
  ...["funding", "homepage", "bugs", "repository", "type", "main", "module", "browser", "exports", "types", "typings"],
  ...["typesVersions", "sideEffects", "engines", "os", "cpu"],
];

/** Of these packages an install fetches what they name, and runs their scripts. */
const dependencies = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

type Manifest = Record<string, unknown>;

/** Whether there is a package that was not named before, or one from elsewhere than before. */
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

/** Whether it is a range of versions or a tag, and no address, path, archive or other name. */
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
