import { describe, expect, it } from "vitest";
import { createAddressGuard, hostOf } from "./address-guard.ts";

describe("createAddressGuard", () => {
  it("admits an allowed host with any address", () => {
    const guard = createAddressGuard(["Wiki.Corp", "localhost", "bücher.example"]);
    for (const host of ["wiki.corp", "localhost", "xn--bcher-kva.example"]) {
      expect([host, guard.admitsHost(host), guard.admitsAddress(host, "10.0.0.7")]).toEqual([host, true, true]);
    }
    expect(guard.admitsHost("app.localhost")).toBe(false);
    expect(guard.admitsAddress("other.corp", "10.0.0.7")).toBe(false);
  });

  it("admits allowed addresses and ranges for every host, and no others", () => {
    const guard = createAddressGuard(["10.0.0.7", "192.168.1.0/24", "fd00::/8", "::1"]);
    const admitted = ["10.0.0.7", "192.168.1.255", "fd12::1", "::1", "8.8.8.8"];
    const refused = ["10.0.0.8", "192.168.2.1", "fe80::1", "::ffff:10.0.0.7", "127.0.0.1", "fd12::1%eth0"];
    expect(admitted.filter((address) => !guard.admitsAddress("any.example", address))).toEqual([]);
    expect(refused.filter((address) => guard.admitsAddress("any.example", address))).toEqual([]);
    expect([guard.admitsHost("10.0.0.7"), guard.admitsHost("10.0.0.8")]).toEqual([true, false]);
  });

  it("refuses an internal name although its address is allowed", () => {
    expect(createAddressGuard(["127.0.0.1"]).admitsHost("localhost")).toBe(false);
  });

  it.each(["", "10.0.0.0/33", "10.0.0.0/", "http://wiki.corp", "wiki.corp:80", "a b", "*", "0x7f.1", "user@wiki.corp"])(
    "refuses the entry %j when it is made",
    (entry) => {
      expect(() => createAddressGuard([entry])).toThrow(expect.objectContaining({ code: "option_invalid" }));
    },
  );
});

describe("hostOf", () => {
  it.each([
    ["http://[::1]:80/", "::1"],
    ["http://EXAMPLE.com./", "example.com"],
    ["http://example.com../", "example.com"],
    ["http://0x7f.1/", "127.0.0.1"],
  ])("returns the host of %s as %s", (url, host) => {
    expect(hostOf(new URL(url))).toBe(host);
  });
});
