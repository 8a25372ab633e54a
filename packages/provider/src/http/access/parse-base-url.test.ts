import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { ProviderError } from "../../errors.ts";
import { parseBaseURL } from "./parse-base-url.ts";

describe("parseBaseURL", () => {
  it.each(["http://localhost:11434/v1", "https://example.com/v1?api-version=1"])("accepts %s", (baseURL) => {
    expect(parseBaseURL(baseURL).href).toBe(baseURL);
  });

  it.each([
    ["a name and a password", "http://me:pw@127.0.0.1/v1", "must not hold credentials"],
    ["a password alone", "http://:pw@127.0.0.1/v1", "must not hold credentials"],
    ["a name alone", "https://pw@127.0.0.1/v1", "must not hold credentials"],
    ["a password with escapes", "http://me:p%77@127.0.0.1/v1", "must not hold credentials"],
    ["a password that cannot be decoded", "http://me:%zz@127.0.0.1/v1", "must not hold credentials"],
    ["credentials without a protocol", "me:pw@127.0.0.1/v1", "is not an HTTP address"],
    ["another protocol", "ftp://me:pw@127.0.0.1/v1", "is not an HTTP address"],
    ["no URL at all", "localhost", "is not an HTTP address"],
  ])("refuses %s without repeating it", (_, baseURL, problem) => {
    const error = thrownBy(() => parseBaseURL(baseURL));
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ code: "bad_request", retryable: false, message: expect.stringContaining(problem) });
    // The stack quotes the path of this file, never the address.
    expect(inspect({ ...error, message: error.message, cause: error.cause })).not.toMatch(/pw|p%77|%zz|127\.0/);
  });
});

function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  return expect.unreachable("nothing was thrown");
}
