import { UsageError } from "../base/errors/usage-error.ts";
import { oneLine } from "../base/terminal/text.ts";

/** The names that a new package uses, from the one that was given. */
export interface PackageNames {
  /** As in `npm install`. */
  readonly package: string;
  /** Its folder, and its main file. */
  readonly file: string;
  /** As functions are called. */
  readonly camel: string;
  /** As types are called. */
  readonly pascal: string;
  /** As variables of the environment are called. */
  readonly constant: string;
}

/**
 * `acme` makes the package `cogency-provider-acme`, and `@acme/models` that of this name.
 *
 * @throws UsageError for a name that npm or JavaScript would refuse
 */
export function packageNames(kind: string, name: string): PackageNames {
  const [, scope, rest = ""] = /^(?:(@[a-z0-9][a-z0-9._-]*)\/)?([a-z][a-z0-9-]*)$/.exec(name) ?? [];
  const prefix = `cogency-${kind}-`;
  const file = rest.startsWith(prefix) ? rest.slice(prefix.length) : rest;
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(file) || taken.has(file))
    throw new UsageError(
      `"${oneLine(name, 60)}" cannot be the name of a package: write small letters, digits and hyphens, such as acme, acme-models or @acme/models, and no word of JavaScript.`,
    );
  const pascal = file
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
  return {
    package: scope === undefined ? `${prefix}${file}` : name,
    file,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
    constant: file.toUpperCase().replaceAll("-", "_"),
  };
}

/** Words that cannot name a function, and the names of other files of the templates. */
const taken: ReadonlySet<string> = new Set(
  (
    "await break case catch class const continue debugger default delete do else enum export extends false finally for function if " +
    "implements import in instanceof interface let new null package private protected public return static super switch this throw " +
    "true try typeof var void while with yield request reduce wire conformance index"
  ).split(" "),
);
