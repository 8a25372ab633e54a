import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { isRetryable, ProviderError, type ProviderErrorCode } from "./errors.ts";

describe("ProviderError", () => {
  const passing: Record<ProviderErrorCode, boolean> = {
    missing_key: false,
    authentication: false,
    permission: false,
    not_found: false,
    bad_request: false,
    rate_limit: true,
    overloaded: true,
    server: true,
    connection: true,
    timeout: true,
    cut_stream: true,
    bad_response: false,
    answer_too_large: false,
    insecure: false,
    unsupported: false,
  };

  it.each(Object.entries(passing))("with code %s is retryable by default: %s", (code, expected) => {
    expect(new ProviderError(code as ProviderErrorCode, "x").retryable).toBe(expected);
    expect(isRetryable(code as ProviderErrorCode)).toBe(expected);
  });

  it("carries the fields that a caller acts on", () => {
    const cause = new Error("socket closed");
    const error = new ProviderError("rate_limit", "Too fast.", {
      status: 429,
      retryable: false,
      retryAfter: 2.5,
      partial: "Hel",
      cause,
    });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "ProviderError",
      message: "Too fast.",
      code: "rate_limit",
      status: 429,
      retryable: false,
      retryAfter: 2.5,
      partial: "Hel",
      cause,
    });
  });

  it("does not copy the received text when it is printed or stored", () => {
    const error = new ProviderError("answer_too_large", "x", { partial: "the whole answer" });
    expect(error.partial).toBe("the whole answer");
    expect(JSON.stringify(error)).not.toContain("the whole answer");
    expect(inspect(error)).not.toContain("the whole answer");
  });

  it("has no partial text when none was received", () => {
    expect(new ProviderError("cut_stream", "x", { partial: "" }).partial).toBeUndefined();
  });

  it.each([Number.NaN, -1])("ignores a retryAfter of %d seconds", (retryAfter) => {
    expect(new ProviderError("rate_limit", "x", { retryAfter }).retryAfter).toBeUndefined();
    expect(new ProviderError("rate_limit", "x", { retryAfter: 0 }).retryAfter).toBe(0);
  });
});
