import { isProgram, type ServerEntry } from "./server-entry.ts";

/** `${NAME}`, or `${NAME:-what counts if it is not set}`. */
const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** The value of a variable; undefined if it is not set. */
export type Lookup = (name: string) => string | undefined;

/** Replaces `${NAME}` and `${NAME:-default}` in the texts of a server. `missing`: variables that are not set and have no default. */
export function withVariables<Entry extends ServerEntry>(
  entry: Entry,
  lookup: Lookup,
): { readonly entry: Entry; readonly missing: readonly string[] } {
  const missing = new Set<string>();
  const replaced = (text: string) =>
    text.replace(variable, (_, name: string, otherwise?: string) => {
      const value = lookup(name) || otherwise;
      if (value === undefined) missing.add(name);
      return value ?? "";
    });
  const table = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, replaced(text)]));
  const own: ServerEntry = entry;
  const whole = isProgram(own)
    ? {
        ...own,
        command: replaced(own.command),
        ...(own.args && { args: own.args.map(replaced) }),
        ...(own.env && { env: table(own.env) }),
        ...(own.cwd !== undefined && { cwd: replaced(own.cwd) }),
      }
    : { ...own, url: replaced(own.url), ...(own.headers && { headers: table(own.headers) }) };
  return { entry: whole as Entry, missing: [...missing] };
}

/** The texts in which a person may write a secret, or its variable. */
export function textsOf(entry: ServerEntry): string[] {
  return isProgram(entry)
    ? [entry.command, ...(entry.args ?? []), ...Object.values(entry.env ?? {}), entry.cwd ?? ""]
    : [entry.url, ...Object.values(entry.headers ?? {})];
}
