import { choice, EMPTY, literal, times } from "../gbnf/notation.ts";
import type { Rules } from "../gbnf/rules.ts";
import type { Keywords } from "./keywords.ts";

/** The largest number of which every digit is kept, whatever the digits are (protocol.md P15). */
const mostDigits = 15;
const largest = 10 ** mostDigits - 1;

/** The most multiples that a grammar lists one by one. */
const mostMultiples = 100;

export function anyNumber(rules: Rules): string {
  const whole = integers(-largest, largest) as string;
  const exponent = `"-"? [0-9] ("." [0-9]{1,${mostDigits - 1}})? [eE] [-+]? [0-9]{1,2}`;
  return rules.share("number", `${whole} ("." [0-9]{1,${mostDigits}})? | ${exponent}`);
}

/** Integers within the bounds of the schema; undefined if there are none. */
export function integerOf(schema: Keywords, rules: Rules): string | undefined {
  const { min, max } = wholeBounds(schema);
  const { multipleOf } = schema;
  if (typeof multipleOf === "number" && multipleOf > 0 && !Number.isInteger(1 / multipleOf)) {
    const listed = multiples(multipleOf, min, max);
    if (listed) return listed.length === 0 ? undefined : rules.share("integer", choice(listed.map(literal)));
  }
  const body = integers(min, max);
  return body === undefined ? undefined : rules.share("integer", body);
}

/** Numbers within the bounds of the schema. Those with a fraction lie between two integers that are. */
export function numberOf(schema: Keywords, rules: Rules): string | undefined {
  if (
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].every((name) => typeof schema[name] !== "number")
  ) {
    return schema.multipleOf === undefined ? anyNumber(rules) : integerOf(schema, rules);
  }
  const whole = integerOf(schema, rules);
  const { min, max } = wholeBounds(schema);
  const ways = whole === undefined ? [] : [whole];
  if (schema.multipleOf === undefined) {
    const fraction = `"." [0-9]{1,${mostDigits}}`;
    const above = max > 0 ? integers(Math.max(0, min), max - 1) : undefined;
    const below = min < 0 ? integers(Math.max(0, -max), -min - 1) : undefined;
    if (above !== undefined) ways.push(`${above} ${fraction}`);
    if (below !== undefined) ways.push(`"-" ${below} ${fraction}`);
    ways.push(...bounds(schema));
  }
  return ways.length === 0 ? undefined : rules.share("number", choice(ways));
}

/** The bounds themselves, where they are within and not integers. */
function bounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Keywords): string[] {
  const isWithin = (value: unknown): value is number =>
    typeof value === "number" &&
    !Number.isInteger(value) &&
    !(typeof minimum === "number" && value < minimum) &&
    !(typeof maximum === "number" && value > maximum) &&
    !(typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) &&
    !(typeof exclusiveMaximum === "number" && value >= exclusiveMaximum);
  return [...new Set([minimum, maximum])].filter(isWithin).map((value) => literal(JSON.stringify(value)));
}

/** The smallest and the largest integer that the schema admits and a grammar can count to. */
function wholeBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Keywords): { min: number; max: number } {
  let min = -largest;
  let max = largest;
  if (typeof minimum === "number") min = Math.max(min, Math.ceil(minimum));
  if (typeof exclusiveMinimum === "number") min = Math.max(min, Math.floor(exclusiveMinimum) + 1);
  if (typeof maximum === "number") max = Math.min(max, Math.floor(maximum));
  if (typeof exclusiveMaximum === "number") max = Math.min(max, Math.ceil(exclusiveMaximum) - 1);
  return { min, max };
}

function multiples(step: number, min: number, max: number): string[] | undefined {
  const first = Math.ceil(min / step);
  const last = Math.floor(max / step);
  if (last - first >= mostMultiples) return undefined;
  const values = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
  return values.filter(Number.isInteger).map(String);
}

/** Matches the integers from `min` to `max`, without zeros before them. */
function integers(min: number, max: number): string | undefined {
  if (!(min <= max)) return undefined;
  const ways: string[] = [];
  if (min < 0) ways.push(`"-" ${naturals(Math.max(1, -max), -min)}`);
  if (max >= 0) ways.push(naturals(Math.max(0, min), max));
  return choice(ways);
}

function naturals(min: number, max: number): string {
  const [low, high] = [String(min), String(max)];
  if (low.length === high.length) return sameLength(low, high);
  const ways = [sameLength(low, "9".repeat(low.length))];
  const between = high.length - low.length - 1;
  if (high === "9".repeat(high.length)) ways.push(`[1-9] ${times("[0-9]", low.length, high.length - 1)}`);
  else {
    if (between > 0) ways.push(`[1-9] ${times("[0-9]", low.length, high.length - 2)}`);
    ways.push(sameLength(`1${"0".repeat(high.length - 1)}`, high));
  }
  return choice(ways);
}

/** Matches the texts of digits from `low` to `high`, which have the same length. */
function sameLength(low: string, high: string): string {
  const rest = low.length - 1;
  if (low === "" || (low === "0".repeat(rest + 1) && high === "9".repeat(rest + 1))) {
    return low === "" ? EMPTY : times("[0-9]", rest + 1, rest + 1);
  }
  const [first, last] = [Number(low.charAt(0)), Number(high.charAt(0))];
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  if (first === last) return sequence(digit(first, first), sameLength(lowRest, highRest));
  const [zeros, nines] = ["0".repeat(rest), "9".repeat(rest)];
  const from = lowRest === zeros ? first : first + 1;
  const to = highRest === nines ? last : last - 1;
  const ways: string[] = [];
  if (from > first) ways.push(sequence(digit(first, first), sameLength(lowRest, nines)));
  if (from <= to) ways.push(sequence(digit(from, to), rest === 0 ? EMPTY : times("[0-9]", rest, rest)));
  if (to < last) ways.push(sequence(digit(last, last), sameLength(zeros, highRest)));
  return choice(ways);
}

function digit(from: number, to: number): string {
  return from === to ? `"${from}"` : `[${from}-${to}]`;
}

function sequence(first: string, second: string): string {
  return second === EMPTY ? first : `${first} ${second}`;
}
