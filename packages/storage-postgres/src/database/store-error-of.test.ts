import { StoreError } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { isTransient, isUnreachable, storeErrorOf } from "./store-error-of.ts";

describe("storeErrorOf", () => {
  it.each([
    ["28P01", "unavailable", "user or the password"],
    ["3D000", "unavailable", "Create the database"],
    ["42501", "unavailable", "schemaScript"],
    ["25006", "unavailable", "primary"],
    ["53100", "full", "free some space"],
    ["54000", "invalid_event", "Nothing was stored"],
    ["42P01", "corrupt", "damaged"],
    ["42883", "corrupt", "damaged"],
    ["XX001", "corrupt", "damaged"],
    ["ECONNREFUSED", "unavailable", "Is the server running"],
    ["57014", "unavailable", "cannot be used"],
  ])("turns %s into `%s` and says what to do", (code, storeCode, advice) => {
    const error = storeErrorOf(errorOf(code, "what it said"), "The place");
    expect(error).toMatchObject({ code: storeCode, cause: { code } });
    expect(error.message).toContain("The place");
    expect(error.message).toContain(advice);
  });

  it("leaves out the statement and its parameters", () => {
    const cause = Object.defineProperties(errorOf("57014", "canceled"), { parameters: { value: ["canary"] } });
    expect(Object.getOwnPropertyNames(storeErrorOf(cause, "here").cause)).not.toContain("parameters");
  });

  it("returns a StoreError unchanged, and names an error without a message by its code", () => {
    const error = new StoreError("closed", "closed");
    expect(storeErrorOf(error, "here")).toBe(error);
    expect(storeErrorOf(errorOf("ECONNREFUSED", ""), "here").message).toContain("ECONNREFUSED");
  });
});

describe("isTransient", () => {
  it.each([
    "57P01",
    "57P03",
    "57P05",
    "08006",
    "CONNECTION_CLOSED",
    "ECONNRESET",
    "ECONNREFUSED",
    "40P01",
    "40001",
    "53300",
    "23505",
  ])("is true of %s", (code) => {
    expect(isTransient(errorOf(code, "x"))).toBe(true);
  });

  it.each(["28P01", "42501", "53100", "23502", "57014", "CONNECTION_ENDED", "X08006", ""])("is false of %j", (code) => {
    expect(isTransient(errorOf(code, "x"))).toBe(false);
  });
});

describe("isUnreachable", () => {
  it("is true of an address without a server, and false of a lost connection", () => {
    expect(isUnreachable(errorOf("ECONNREFUSED", "x"))).toBe(true);
    expect(isUnreachable(errorOf("ECONNRESET", "x"))).toBe(false);
  });
});

function errorOf(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
