import { afterEach, describe, expect, it, vi } from "vitest";
import { ProviderError, type ProviderErrorCode } from "../../errors.ts";
import { redactor } from "../access/redactor.ts";
import { type RefusedAnswer, statusError } from "./status-error.ts";

const refused: RefusedAnswer = { host: "api.acme.test", status: 500, message: "It broke." };

afterEach(() => {
  vi.useRealTimers();
});

describe("statusError", () => {
  const codes: [number, ProviderErrorCode, boolean][] = [
    [400, "bad_request", false],
    [401, "authentication", false],
    [403, "permission", false],
    [404, "not_found", false],
    [408, "timeout", true],
    [413, "bad_request", false],
    [422, "bad_request", false],
    [429, "rate_limit", true],
    [500, "server", true],
    [502, "server", true],
    [503, "overloaded", true],
    [504, "timeout", true],
    [529, "overloaded", true],
  ];
  it.each(codes)("reads HTTP %d as %s, retryable: %s", (status, code, retryable) => {
    const error = statusError({ ...refused, status });
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ code, status, retryable });
  });

  it("says who refused, with what status, and in which words", () => {
    expect(statusError(refused).message).toBe("api.acme.test failed (HTTP 500): It broke.");
  });

  it.each([{ status: 402 }, { status: 429, isQuota: true }])("reads %j as a quota that is used up", (answer) => {
    const error = statusError({ ...refused, ...answer });
    expect(error).toMatchObject({ code: "rate_limit", retryable: false, status: answer.status });
    expect(error.message).toContain("the quota is used up");
  });

  const waits: [Record<string, string>, number | undefined][] = [
    [{}, undefined],
    [{ "retry-after-ms": "1500" }, 1.5],
    [{ "retry-after-ms": "0" }, 0],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 0.25],
    [{ "retry-after-ms": "soon", "retry-after": "9" }, 9],
    [{ "retry-after-ms": "", "retry-after": "9" }, 9],
    [{ "retry-after": "20" }, 20],
    [{ "retry-after": " 0.5 " }, 0.5],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "-3" }, 0],
    [{ "retry-after": "Sun, 01 Mar 2026 12:00:30 GMT" }, 30],
    [{ "retry-after": "Sunday, 01-Mar-26 12:00:30 GMT" }, 30],
    [{ "retry-after": "Sun, 01 Mar 2026 11:59:00 GMT" }, 0],
    // A server whose clock is five minutes behind, or ahead.
    [{ "retry-after": "Sun, 01 Mar 2026 11:55:30 GMT", date: "Sun, 01 Mar 2026 11:55:00 GMT" }, 30],
    [{ "retry-after": "Sun, 01 Mar 2026 12:05:30 GMT", date: "Sun, 01 Mar 2026 12:05:00 GMT" }, 30],
    [{ "retry-after": "Sun, 01 Mar 2026 12:00:30 GMT", date: "today" }, 30],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "" }, undefined],
    [{ "retry-after": "Infinity" }, undefined],
  ];
  it.each(waits)("reads %j as a wait of %s seconds", (headers, retryAfter) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 2, 1, 12, 0, 0) });
    expect(statusError({ ...refused, status: 429, headers: new Headers(headers) }).retryAfter).toBe(retryAfter);
  });

  it("removes keys from the server's words before it cuts them, so that no half key remains", () => {
    const message = `${"x".repeat(490)} sk-canary-0123456789`;
    const error = statusError({ ...refused, message, redact: redactor(["sk-canary-0123456789"]) });
    expect(error.message).not.toContain("sk-");
    expect(error.message.endsWith("…")).toBe(true);
    expect(error.message.length).toBeLessThan(560);
  });

  it("does not cut a character of the server's words in half", () => {
    const { message } = statusError({ ...refused, message: `${"x".repeat(499)}👋👋` });
    expect(message.isWellFormed()).toBe(true);
    expect(message).toMatch(/x…$/);
  });
});
