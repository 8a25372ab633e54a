import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { storeErrorOf } from "./store-error-of.ts";

describe("storeErrorOf", () => {
  it("reports a text that is too large for SQLite as `invalid_event`", () => {
    const sqlite = new DatabaseSync(":memory:");
    expect(refusal(() => sqlite.prepare("SELECT zeroblob(1000000001)").get())).toMatchObject({
      name: "StoreError",
      code: "invalid_event",
      message: expect.stringContaining("the limit of SQLite"),
      cause: expect.objectContaining({ message: "string or blob too big" }),
    });
    sqlite.close();
  });
});

function refusal(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return storeErrorOf(error, "store.db");
  }
}
