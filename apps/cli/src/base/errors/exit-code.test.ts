import { RunError } from "@cogency/agent";
import { ProviderError } from "@cogency/provider";
import { ConflictError, StoreError } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { exitCodeOfError } from "./exit-code.ts";
import { UsageError } from "./usage-error.ts";

class AcmeError extends ProviderError {
  override readonly name = "AcmeError";
}

const acme = new AcmeError("server", "down");
const turning = new Error("turning");
turning.cause = turning;

describe("the exit code of", () => {
  it.each([
    ["a provider's error", acme, 3],
    ["a run that a provider's error ended", new RunError("provider", "down", { cause: acme }), 3],
    ["a provider's error behind others", new RunError("driver", "x", { cause: new Error("y", { cause: acme }) }), 3],
    ["a provider's error that is not a ProviderError", new RunError("provider", "x", { cause: new TypeError("x") }), 3],
    ["a usage that a provider refused", new UsageError("no key", { cause: acme }), 2],
    ["a run that the store ended", new RunError("store", "x", { cause: new ConflictError(1, 2) }), 5],
    ["a store's error", new StoreError("unavailable", "locked"), 5],
    ["a driver's own error", new RunError("driver", "x", { cause: new TypeError("x") }), 1],
    ["an error that is its own cause", turning, 1],
    ["a value that is not an error", "text", 1],
  ])("%s", (_, error, code) => {
    expect(exitCodeOfError(error)).toBe(code);
  });
});
