import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { connect, locationOf } from "./connect.ts";

describe("connect", () => {
  it.each([
    "",
    "localhost/canary",
    "mysql://me:canary@localhost/db",
    "postgres://me:canary%@localhost/db",
    "postgres://me:canary/x@localhost:port/db",
    "postgres://me:canary@host:99999/db",
  ])("refuses %j without showing it", (url) => {
    const error = caught(() => connect({ url }));
    expect(error).toMatchObject({ code: "unavailable" });
    expect(inspect(error, { showHidden: true, depth: 5 })).not.toContain("canary");
  });

  it.each([
    ["postgres://me:canary@localhost:5433/db", "localhost:5433"],
    ["postgresql://me:canary@one:1,two:2/db", "one:1, two:2"],
  ])("accepts %s, and names the location without the password", (url, server) => {
    const { sql } = connect({ url });
    expect(locationOf(sql, "s")).toBe(`Schema "s" of PostgreSQL database "db" at ${server}`);
  });
});

function caught(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}
