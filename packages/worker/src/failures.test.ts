import { readFile } from "node:fs/promises";
import { RunError } from "@cogency/agent";
import { failureOf, ownFailures, providerFailures } from "@cogency/agent/failure";
import { isRetryable, ProviderError, type ProviderErrorCode } from "@cogency/provider";
import { StoreError } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { firstBound, longestAsked, longestBound } from "./next-try.ts";

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
const section = readme.slice(readme.indexOf("## When a run fails"), readme.indexOf("## Its health"));
const failed = (cause: unknown) => failureOf({ error: new RunError("provider", "canary", { cause }) });

/** What the worker does about each failure, as the README says it. */
const words = { again: "tries again", refused: "parks", key: "parks late", own: "waits" } as const;

describe("the table of failures in the README", () => {
  it("says what the code does, for every code", () => {
    const rows = [...section.matchAll(/^\| `(\w+)` \| (.+?) \| (.+?) \|$/gm)].map(([, ...cells]) => cells);
    const ofProvider = Object.keys(providerFailures).map((code) => {
      const isQuota = code === "quota";
      return failed(
        new ProviderError(
          isQuota ? "rate_limit" : (code as ProviderErrorCode),
          "canary",
          isQuota ? { retryable: false } : {},
        ),
      );
    });
    const own = Object.keys(ownFailures).map((code) =>
      failureOf({ error: new RunError(code as RunError["code"], "canary") }),
    );
    const all = [...ofProvider, failed(new Error("canary")), ...own];
    expect(rows).toEqual(all.map((failure) => failure && [failure.code, failure.says, words[failure.kind]]));
    expect(JSON.stringify(all)).not.toContain("canary");
  });

  it("has the times of the code", () => {
    expect([firstBound, longestBound, longestAsked]).toEqual([1000, 300_000, 3_600_000]);
    expect(section).toMatch(/after 1 second at most.* up to 300 seconds;.* up to 3,600 seconds/);
  });
});

describe("the failure of a run", () => {
  it("is what the provider says of itself, where that is not the usual", () => {
    expect(isRetryable("bad_request")).toBe(false);
    expect(failed(new ProviderError("bad_request", "x", { retryable: true, retryAfter: 2 }))).toMatchObject({
      code: "bad_request",
      kind: "again",
      retryAfter: 2000,
    });
    expect(failed(new ProviderError("server", "x", { retryable: false }))?.kind).toBe("refused");
  });

  it("is found where a later failure came with it", () => {
    const first = new ProviderError("overloaded", "x");
    const both = new AggregateError([first, new StoreError("unavailable", "y")], "x, y", { cause: first });
    expect(failed(both)).toMatchObject({ code: "overloaded", kind: "again" });
  });

  it.each(["store", "not_stored", "busy", "nothing_to_recover", "iterated_twice"] as const)(
    "is nothing for a person where it is %s",
    (code) => {
      expect(failureOf({ error: new RunError(code, "x") })).toBeUndefined();
    },
  );

  it("with a code of another version has a sentence", () => {
    const failure = failed(new ProviderError("of_a_later_version" as ProviderErrorCode, "x"));
    expect(failure).toMatchObject({ says: "The model could not be asked.", kind: "refused" });
  });
});
