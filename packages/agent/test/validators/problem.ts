/** Why a server would refuse the body of a request; undefined if it accepts it. */
export type Validate = (body: unknown) => string | undefined;

type Fields = Readonly<Record<string, unknown>>;

/** What a server says of a body that it refuses. */
class Refusal extends Error {}

/** Runs the checks of a body: the first that fails is its problem. */
export function problemOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

export function demand(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Refusal(problem);
}

export function fieldsIn(value: unknown, place: string): Fields {
  demand(typeof value === "object" && value !== null && !Array.isArray(value), `${place} is not an object.`);
  return value as Fields;
}

export function listIn(value: unknown, place: string): readonly unknown[] {
  demand(Array.isArray(value), `${place} is not a list.`);
  demand(value.length > 0, `${place} is empty.`);
  return value;
}

export function textIn(value: unknown, place: string): string {
  demand(typeof value === "string", `${place} is not a text.`);
  demand(value.isWellFormed(), `${place} holds half a surrogate pair.`);
  return value;
}

export function matching(value: unknown, pattern: RegExp, place: string): string {
  const text = textIn(value, place);
  demand(pattern.test(text), `${place} is ${JSON.stringify(text)}, which does not match ${pattern}.`);
  return text;
}

/** The JSON text of an object. */
export function argumentsIn(value: unknown, place: string): void {
  const text = textIn(value, place);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    demand(false, `${place} is not JSON text.`);
  }
  fieldsIn(parsed, place);
}

/** Adds a name that must be new. */
export function addNew(names: Set<string>, name: string, place: string): void {
  demand(!names.has(name), `${place}: ${JSON.stringify(name)} is used twice.`);
  names.add(name);
}

/** The text of bytes. */
export const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
