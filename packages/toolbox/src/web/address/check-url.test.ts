import { describe, expect, it } from "vitest";
import { createAddressGuard } from "./address-guard.ts";
import { checkUrl, shownUrl } from "./check-url.ts";

const guard = createAddressGuard([]);

describe("checkUrl", () => {
  it("resolves a redirect relative to the page", () => {
    expect(checkUrl("../b?c", guard, new URL("https://example.com/a/x/")).href).toBe("https://example.com/a/b?c");
  });

  it("refuses a redirect from https to http, and accepts one from http to https", () => {
    const plain = new URL("http://example.com/");
    expect(() => checkUrl("http://example.com/", guard, new URL("https://example.com/"))).toThrow(
      expect.objectContaining({ code: "scheme_refused", message: expect.stringContaining("from https to http") }),
    );
    expect(checkUrl("https://example.com/", guard, plain).protocol).toBe("https:");
  });
});

describe("shownUrl", () => {
  it.each([
    ["http://user:secret@host/path?q#f", "http://host/path?q#f"],
    ["http:user:secret@host", "http:host"],
    ["//user:secret@ho st/", "//ho st/"],
    ["http:\\\\user:secret@host", "http:\\\\host"],
    ["http://host/a@b", "http://host/a@b"],
  ])("shows %s as %s", (url, shown) => {
    expect(shownUrl(url)).toBe(shown);
  });

  it("shortens a long URL", () => {
    expect(shownUrl(`http://example.com/${"x".repeat(10_000)}`)).toHaveLength(301);
  });
});
