import { describe, expect, it } from "vitest";
import { bodyEnding } from "./call-ending.ts";

describe("bodyEnding", () => {
  const coded = (message: string, code: string) => Object.assign(new Error(message), { code });

  it.each<[what: string, error: unknown, message: string]>([
    ["an error with the code cancelled", coded("It printed: one.", "cancelled"), "sh was cancelled: It printed: one."],
    ["any other error", coded("the socket was closed", "ECONNRESET"), "sh was cancelled."],
    ["what is no error", { code: "cancelled", message: 7 }, "sh was cancelled."],
    ["nothing", undefined, "sh was cancelled."],
  ])("tells the model of a cancelled call what its body said with %s", (_, error, message) => {
    expect(bodyEnding("sh", 1000, { end: "aborted", work: "rejected", error })).toMatchObject({
      outcome: "cancelled",
      error: { code: "cancelled", message },
      settled: true,
    });
  });
});
