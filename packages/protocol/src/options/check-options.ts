import { isObject, type OptionKind, type OptionTable } from "./kinds.ts";
import { nearestNames } from "./nearest-names.ts";
import { clipped, shown } from "./shown.ts";
import { synonymOf } from "./synonyms.ts";

/**
 * Refuses wrong options: one that is ignored looks like one that works. An option that is undefined counts as absent, and an instance
 * of a class may have other fields.
 *
 * @param where the function, as its caller writes it: `openai`
 * @param instead says what to write instead of a name that is not in the table, as code. Without an answer the nearest name is
 * proposed, or the one that means the same in other libraries.
 * @throws TypeError for an unknown option, one that is missing, and a value of a wrong type; RangeError for a value out of its range.
 * Both carry the `code` `invalid_option` and the `option`. The message never shows a string that was given, except where the option is
 * one of a few words.
 *
 * @example
 * checkOptions("openai", { baseUrl: "http://localhost" }, table)
 * // TypeError: openai has no option `baseUrl` (given: a string). Did you mean `baseURL`? Its options are …
 */
export function checkOptions<Options>(
  where: string,
  given: unknown,
  table: OptionTable<Options>,
  instead: (name: string) => string | undefined = () => undefined,
): void {
  const kinds = table as Readonly<Record<string, OptionKind>>;
  const valid = Object.keys(kinds);
  const needed = valid.filter((name) => kinds[name]?.isRequired);
  if (given === undefined && needed.length === 0) return;
  if (!isObject(given) || given instanceof Promise) {
    const advice =
      given instanceof Promise ? "await it" : `give an object with ${listed(needed.length ? needed : valid)}`;
    throw wrongOption(TypeError, where, `${where} takes options, not ${shown(given)}; ${advice}.`);
  }
  const options = given as Readonly<Record<string, unknown>>;
  const unknown = isPlain(given)
    ? Object.keys(options).find((name) => !Object.hasOwn(kinds, name) && options[name] !== undefined)
    : undefined;
  if (unknown !== undefined) {
    const problem = `${where} has no option \`${clipped(unknown)}\` (given: ${shown(options[unknown])}).`;
    throw wrongOption(TypeError, unknown, `${problem} ${advice(unknown, valid, instead(unknown))}`);
  }
  for (const name of valid) checkOption(where, name, options[name], kinds[name] as OptionKind);
}

/** The options of a group inside of others, such as `budget`. */
export function group<Options>(
  table: OptionTable<Options>,
  instead?: (name: string) => string | undefined,
): OptionKind {
  return {
    wanted: `an object with ${listed(Object.keys(table))}`,
    isOfType: (value) => isObject(value) && !(value instanceof Promise),
    inside: (value, path, _check, where) => checkOptions(`\`${path}\` of ${where}`, value, table, instead),
  };
}

/**
 * Refuses a wrong value of a single option, or of an argument.
 *
 * @throws as {@link checkOptions}
 */
export function checkOption(where: string, name: string, value: unknown, kind: OptionKind): void {
  if (value === undefined) {
    if (kind.isRequired) throw wrongOption(TypeError, name, `${where} needs \`${name}\`: ${kind.wanted}.`);
    return;
  }
  const show = kind.show ?? shown;
  const problem = (end = "") => `${where}: \`${name}\` is ${show(value)}; give ${kind.wanted}.${end}`;
  if (!kind.isOfType(value)) {
    throw wrongOption(TypeError, name, problem(value instanceof Promise ? " Await it: it is a promise." : ""));
  }
  if (kind.isInRange?.(value) === false) throw wrongOption(RangeError, name, problem());
  const check = (path: string, entry: unknown, inner: OptionKind) => checkOption(where, path, entry, inner);
  kind.inside?.(value, name, check, where);
}

/** What to write instead of an unknown name. */
function advice(wrong: string, valid: readonly string[], code: string | undefined): string {
  if (code !== undefined) return `Write \`${code}\`.`;
  const near = nearestNames(wrong, valid);
  const synonym = near.length === 0 ? synonymOf(wrong, valid) : undefined;
  const meant = synonym === undefined ? near : [synonym];
  const guess = meant.length > 0 ? `Did you mean ${quoted(meant).join(" or ")}? ` : "";
  return `${guess}Its options are ${listed(valid)}.`;
}

/** An error about an option, for a check that no kind can make. */
export function wrongOption<E extends Error>(
  Type: new (message: string) => E,
  option: string,
  message: string,
): E & { code: "invalid_option"; option: string } {
  return Object.assign(new Type(message), { code: "invalid_option" as const, option });
}

/** Whether a value is an object literal, also one of another realm: its prototype is null or an `Object.prototype`. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const more = names.length > mostListed ? ` and ${names.length - mostListed} more` : "";
  return `${quoted(names.slice(0, mostListed)).join(", ")}${more}`;
}

const mostListed = 40;

function quoted(names: readonly string[]): string[] {
  return names.map((name) => `\`${clipped(name)}\``);
}
