import { clipped, shown } from "./shown.ts";

/** What the value of an option must be. */
export interface OptionKind {
  /** Ends the sentence "give …". */
  readonly wanted: string;
  /** Whether the value is of the type. A value that is not throws a TypeError. */
  isOfType(value: unknown): boolean;
  /** Whether a value of the type may be given. One that may not throws a RangeError. Defaults to all. */
  isInRange?(value: unknown): boolean;
  /** What the message calls a value that is refused. Defaults to `shown`, which hides strings. */
  show?(value: unknown): string;
  /** Whether the option must be given. */
  readonly isRequired?: true;
  /** Checks what is inside of a value; `path` is that of the option, `where` the function. */
  inside?(value: unknown, path: string, check: CheckInside, where: string): void;
}

/** Checks a value inside of an option as one of its own. */
type CheckInside = (path: string, value: unknown, kind: OptionKind) => void;

/**
 * The kinds of the options of a function, by their names. A table that lacks one, or has one too many, does not compile. An option
 * whose type is `never` has none.
 */
export type OptionTable<Options> = {
  readonly [Name in keyof Options as Options[Name] extends undefined ? never : Name]-?: OptionKind;
};

/** The option must be given. */
export function required(kind: OptionKind): OptionKind {
  return { ...kind, isRequired: true };
}

/** The check is elsewhere: any value passes. */
export const anything: OptionKind = { wanted: "a value", isOfType: () => true };

export const text: OptionKind = { wanted: "a string", isOfType: (value) => typeof value === "string" };

/** A text that names something, and so is not empty. */
export const name: OptionKind = { ...text, wanted: "a string that is not empty", isInRange: (value) => value !== "" };

export const flag: OptionKind = { wanted: "true or false", isOfType: (value) => typeof value === "boolean" };

export const callback: OptionKind = { wanted: "a function", isOfType: (value) => typeof value === "function" };

/** An object that is read elsewhere, such as a JSON Schema. */
export const object: OptionKind = { wanted: "an object", isOfType: isObject };

export const signal: OptionKind = having("an AbortSignal", "addEventListener", "removeEventListener");

/** A number of at least `least`, such as seconds. `Infinity` passes. */
export function atLeast(least: number, unit = "a number"): OptionKind {
  const isInRange = (value: unknown) => (value as number) >= least;
  return { wanted: `${unit} of at least ${least}`, isOfType: isNumber, isInRange };
}

/** A number greater than `most`, such as milliseconds. `Infinity` passes. */
export function above(most: number, unit = "a number"): OptionKind {
  return { wanted: `${unit} above ${most}`, isOfType: isNumber, isInRange: (value) => (value as number) > most };
}

/** A whole number from `least` to `most`. `Infinity` passes where there is no `most`. */
export function whole(least: number, most = Number.POSITIVE_INFINITY): OptionKind {
  const wanted = most === Number.POSITIVE_INFINITY ? `of at least ${least}` : `from ${least} to ${most}`;
  return {
    wanted: `a whole number ${wanted}`,
    isOfType: isNumber,
    isInRange: (value) => {
      const number = value as number;
      return number >= least && number <= most && (Number.isSafeInteger(number) || number === Number.POSITIVE_INFINITY);
    },
  };
}

/** One of a few values. */
export function oneOf(...values: readonly (string | number | boolean | null)[]): OptionKind {
  const types = new Set(values.map((value) => typeof value));
  return {
    wanted: `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`,
    isOfType: (value) => types.has(typeof value as "string") || values.includes(value as null),
    isInRange: (value) => values.includes(value as null),
    show: (value) => (typeof value === "string" ? JSON.stringify(clipped(value)) : shown(value)),
  };
}

/** An object, or a function, with these methods. */
export function having(wanted: string, ...methods: readonly string[]): OptionKind {
  return {
    wanted: `${wanted}, which has ${methods.map((method) => `\`${method}()\``).join(" and ")}`,
    isOfType: (value) =>
      (isObject(value) || typeof value === "function") &&
      methods.every((method) => typeof (value as Record<string, unknown>)[method] === "function"),
  };
}

/** An array whose entries are of a kind. */
export function listOf(kind: OptionKind, entries = "an array"): OptionKind {
  return {
    wanted: entries,
    isOfType: Array.isArray,
    inside(value, path, check) {
      for (const [index, entry] of (value as unknown[]).entries()) check(`${path}[${index}]`, entry, required(kind));
    },
  };
}

/** An object whose names are not known, and whose values are of a kind. */
export function recordOf(kind: OptionKind): OptionKind {
  return {
    ...object,
    inside(value, path, check) {
      for (const [key, entry] of Object.entries(value as object)) {
        check(`${path}[${JSON.stringify(clipped(key))}]`, entry, kind);
      }
    },
  };
}

/** A value of the first kind of these whose type it has. */
export function either(...kinds: readonly OptionKind[]): OptionKind {
  const kindOf = (value: unknown) => kinds.find(({ isOfType }) => isOfType(value));
  return {
    wanted: kinds.map(({ wanted }) => wanted).join(", or "),
    isOfType: (value) => kindOf(value) !== undefined,
    isInRange: (value) => kindOf(value)?.isInRange?.(value) ?? true,
    show: (value) => (kindOf(value)?.show ?? shown)(value),
    inside: (value, path, check, where) => kindOf(value)?.inside?.(value, path, check, where),
  };
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}
