import { Problem } from "@cogency/server";

/** What is wrong with a field of a request. */
export function wrong(field: string, advice: string): Problem {
  return new Problem("invalid_request", `\`${field}\` of the request is wrong: ${advice}.`);
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
