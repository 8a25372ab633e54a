import { describe, expect, it } from "vitest";
import { isServer, refuseOtherAddress, shownStore } from "./store-address.ts";

describe("shownStore", () => {
  it.each([
    ["postgres://me:canary@db.test:5432/app", "postgres://db.test:5432/app"],
    ["postgresql://me:can@ry/canary@db.test/app?password=canary", "postgresql://db.test/app"],
    ["POSTGRES://canary@db.test", "POSTGRES://db.test"],
    ["postgres:///app?host=/run&password=canary#canary", "postgres:///app"],
    ["postgres://db.test/app", "postgres://db.test/app"],
  ])("hides user, password and parameters: %s", (address, shown) => {
    expect(isServer(address)).toBe(true);
    expect(shownStore(address)).toBe(shown);
  });

  it.each([[":memory:"], ["./a@b/c?d.db"], ["postgres.db"], ["/x/postgres://y"]])("leaves a file alone: %s", (file) => {
    expect(isServer(file)).toBe(false);
    expect(shownStore(file)).toBe(file);
  });
});

it("hides a possible password in the path of a file", () => {
  expect(shownStore("./postgres:me:canary@db.test/x")).toBe("./postgres:me:[redacted]@db.test/x");
});

describe("refuseOtherAddress", () => {
  it.each([
    ["postgre://me:canary@db.test/app"],
    ["postgres:/me:canary@db.test/app"],
    [" postgres://me:canary@db.test/app"],
    ["mysql://me:canary@db.test/app"],
    ["postgresql+asyncpg://me:canary@db.test/app"],
    ["postgres:me:canary@db.test/app"],
    ["postgres:\\\\me:canary@db.test\\app"],
    ["postgres//me:canary@db.test/app"],
    ["postgres;//me:canary@db.test/app"],
    ["postgres:///me:canary@db.test/app"],
    ["postgresql:////me:canary@db.test/app"],
    ["'postgres://me:canary@db.test/app'"],
    ["\u200bpostgres://me:canary@db.test/app"],
    ["//me:canary@db.test/app"],
    ["\\\\me:canary@db.test"],
    ["me:canary@db.test/app"],
    ["me:canary"],
    ["db.test/app/me:canary@"],
    ["host=db.test password=canary"],
    ["jdbc:postgresql:canary"],
    ["DATABASE_URL=postgres://canary"],
    ["db?password=canary"],
    [":memory"],
    ["memory:canary"],
  ])("refuses %s without showing it", (address) => {
    expect(() => refuseOtherAddress(address)).toThrow(/^The store is neither(?!.*canary)/s);
  });

  it.each([
    [":memory:"],
    ["postgres://me@db.test/app"],
    ["C:/Users/me/c.db"],
    ["a/b:c.db"],
    ["./x://y.db"],
    ["/a:b@c/d.db"],
    ["../a=b.db"],
    ["x.db"],
    ["日本.db"],
  ])("takes %s", (store) => {
    expect(() => refuseOtherAddress(store)).not.toThrow();
  });
});
