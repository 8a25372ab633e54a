import { isObject } from "../../base/is-object.ts";
import { isToolName } from "../../base/tool-names.ts";

/** A module of the key `tools`, which brings tools and more. */
export interface ExtensionEntry {
  /** A path, or the bare name of a package. */
  readonly use: string;
  /** What its function gets. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** The entries of the key `tools` that name modules, and not tools of the app. */
export function extensionEntries(tools: unknown): ExtensionEntry[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((entry: unknown) => {
    if (typeof entry === "string") return isOfTheApp(entry) ? [] : { use: entry };
    return isObject(entry) ? (entry as unknown as ExtensionEntry) : [];
  });
}

/** The entries that name tools of the app; undefined if there are none, which leaves none of them out. */
export function builtInEntries(tools: readonly unknown[]): string[] | undefined {
  const names = tools.filter((entry) => typeof entry === "string").filter(isOfTheApp);
  return names.length === 0 ? undefined : names;
}

/** Several names in one text are for the reader of names, who says which of them is none. */
function isOfTheApp(text: string): boolean {
  return text.includes(",") || isToolName(text.trim());
}

/** Says what is wrong with a value of the key `tools`; undefined if nothing is. @param path such as `tools` */
export function toolsProblem(path: string, value: unknown): string | undefined {
  const wanted = `${path} has to be a list of names of tools, and of paths or packages of your own, such as ["read", "./my-tool"].`;
  if (!Array.isArray(value)) return wanted;
  for (const [index, entry] of value.entries()) {
    if (typeof entry === "string" && entry.trim() !== "") continue;
    if (!isObject(entry)) return wanted;
    const { use, options, ...others } = entry;
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) return `there is no key ${path}[${index}].${unknown}. There are use, options.`;
    if (typeof use !== "string" || use.trim() === "")
      return `${path}[${index}].use has to be a path or the name of a package, such as "./my-tool".`;
    if (options !== undefined && !isObject(options)) return `${path}[${index}].options has to be an object.`;
  }
  return undefined;
}
