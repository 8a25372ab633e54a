/** Returns what of a value may be shown; undefined if nothing of it may. */
export type Rule = (value: unknown) => unknown;

/** A rule for each field that may be shown. Other fields stay at home. */
export type Fields = Readonly<Record<string, Rule>>;

/** The fields that may be shown, each if it has the type that its rule wants: a log from elsewhere may hold anything. */
export function pick(value: unknown, fields: Fields): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  if (typeof value !== "object" || value === null) return picked;
  for (const [name, rule] of Object.entries(fields)) {
    const shown = Object.hasOwn(value, name) ? rule((value as Record<string, unknown>)[name]) : undefined;
    if (shown !== undefined) picked[name] = shown;
  }
  return picked;
}

export const text: Rule = (value) => (typeof value === "string" ? value : undefined);

export const number: Rule = (value) => (typeof value === "number" ? value : undefined);

export const flag: Rule = (value) => (value === true ? value : undefined);

/** Any JSON that a person may see: what the model wrote for a tool, or a person for the model. */
export const json: Rule = (value) => value;

export function object(fields: Fields): Rule {
  return (value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? pick(value, fields) : undefined;
}

export function listOf(rule: Rule): Rule {
  return (value) => (Array.isArray(value) ? value.map(rule).filter((one) => one !== undefined) : undefined);
}
