import { describe, expect, it } from "vitest";
import { hostRules, rulesForCall } from "./host-rules.ts";

describe("hostRules", () => {
  const rules = hostRules([
    "Example.org",
    "api.example.com:8443",
    "*.wild.example:443",
    "10.0.0.7:5432",
    "[::1]:80",
    "bücher.example",
  ]);

  it.each([
    ["example.org", 443, true],
    ["example.org", 80, true],
    ["example.org", 22, false],
    ["sub.example.org", 443, false],
    ["evil-example.org", 443, false],
    ["example.org.evil.example", 443, false],
    ["api.example.com", 8443, true],
    ["api.example.com", 443, false],
    ["a.wild.example", 443, true],
    ["a.b.wild.example", 443, true],
    ["wild.example", 443, false],
    ["evilwild.example", 443, false],
    ["a.wild.example", 80, false],
    ["10.0.0.7", 5432, true],
    ["10.0.0.8", 5432, false],
    ["::1", 80, true],
    ["xn--bcher-kva.example", 443, true],
    ["", 443, false],
  ])("admits %s:%d: %j", (host, port, isAdmitted) => {
    expect(rules.admits(host, port)).toBe(isAdmitted);
  });

  it("admits an address that is not public only if the rules name it", () => {
    const guard = hostRules(["example.org", "10.0.0.7:5432", "localhost:3000"], ["192.168.1.0/24"]).guardFor("", 0);
    const judged = [
      ["example.org", "127.0.0.1"],
      ["example.org", "169.254.169.254"],
      ["example.org", "93.184.216.34"],
      ["example.org", "192.168.1.4"],
      ["10.0.0.7", "10.0.0.7"],
      ["localhost", "127.0.0.1"],
    ] as const;
    expect(judged.map(([host, address]) => guard.admitsAddress(host, address))).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });

  it.each([
    "",
    "*",
    "*.",
    "http://a.example",
    "a.example/x",
    "a.example:0",
    "a.example:70000",
    "a b",
    "user@a.example",
    "*.10.0.0.1",
    "a.*.example",
    "a.example:",
    "[::1",
    "a\nb",
  ])("refuses %j", (entry) => {
    expect(() => hostRules([entry])).toThrow(`"${entry}" names no host`);
  });
});

describe("rulesForCall", () => {
  const allowed = hostRules(["example.org", "*.wild.example", "only.example:443"]);

  it.each([
    [["example.org"], []],
    [["EXAMPLE.org:443"], []],
    [["a.wild.example"], []],
    [["only.example"], []],
    [["only.example:80"], ["only.example:80"]],
    [["*.wild.example"], ["*.wild.example"]],
    [["example.org", "evil.example"], ["evil.example"]],
    [["bücher.example"], ["xn--bcher-kva.example"]],
  ])("finds in %j the hosts that are not listed: %j", (asked, beyond) => {
    expect(rulesForCall(asked, allowed).beyond).toEqual(beyond);
  });

  it("admits no other port of a listed host, and no host that the call did not name", () => {
    const { rules } = rulesForCall(["only.example", "evil.example"], allowed);
    const asked = [
      ["only.example", 443],
      ["only.example", 80],
      ["evil.example", 80],
      ["example.org", 443],
    ] as const;
    expect(asked.map(([host, port]) => rules.admits(host, port))).toEqual([true, false, true, false]);
  });

  it.each(["*.com", "*.internal:22", "*.wild.example:22"])("refuses %s, which is not listed", (host) => {
    expect(() => rulesForCall(["example.org", host], allowed)).toThrow(`"${host}" stands for all names below one`);
  });
});
