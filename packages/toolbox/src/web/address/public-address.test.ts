import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./public-address.ts";

describe("isPublicAddress", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "172.15.255.255",
    "172.32.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "126.255.255.255",
    "128.0.0.1",
    "169.253.255.255",
    "192.167.255.255",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2001:4860:4860::8888",
    "2a00:1450:4001:81b::200e",
  ])("accepts %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ["127.0.0.1", "loopback"],
    ["168.63.129.16", "the host of a machine at Azure"],
    ["10.255.255.255", "private"],
    ["172.16.0.0", "private"],
    ["192.168.1.1", "private"],
    ["169.254.169.254", "link-local"],
    ["100.64.0.0", "carrier-grade NAT"],
    ["100.127.255.255", "carrier-grade NAT"],
    ["0.0.0.0", "unspecified"],
    ["224.0.0.251", "multicast"],
    ["255.255.255.255", "broadcast"],
    ["240.0.0.1", "reserved"],
    ["192.0.2.7", "documentation"],
    ["198.19.255.255", "benchmarks"],
    ["192.88.99.1", "6to4 relay"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["::7f00:1", "IPv4-compatible"],
    ["::808:808", "IPv4-compatible"],
    ["::ffff:8.8.8.8", "IPv4-mapped"],
    ["::ffff:0:8.8.8.8", "IPv4-translated"],
    ["2002:a00:1::", "6to4"],
    ["64:ff9b::a00:1", "NAT64"],
    ["64:ff9b:1::a00:1", "local NAT64"],
    ["2001::a00:1", "Teredo"],
    ["fc00::1", "unique local"],
    ["fd12:3456::1", "unique local"],
    ["fe80::1", "link-local"],
    ["fec0::1", "site-local"],
    ["ff05::1", "multicast"],
    ["2001:db8::1", "documentation"],
    ["3fff::1", "documentation"],
    ["100::1", "discard"],
    ["5f00::1", "segment routing"],
    ["2606:4700::1%eth0", "zone"],
    ["0177.0.0.1", "no address in plain form"],
    ["8.8", "short form"],
    ["example.com", "no address"],
    ["", "nothing"],
  ])("refuses %s: %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
