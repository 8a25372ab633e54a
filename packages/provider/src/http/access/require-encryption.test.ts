import { describe, expect, it } from "vitest";
import { isLoopback, requireEncryption } from "./require-encryption.ts";

const loopback = [
  "http://localhost",
  "http://LocalHost:8080/v1",
  "http://localhost./v1",
  "http://a.localhost/v1",
  "http://127.0.0.1:1/",
  "http://127.255.0.3/",
  "http://127.1/",
  "http://2130706433/",
  "http://0177.0.0.1/",
  "http://[::1]:8080/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::ffff:127.0.0.1]/",
];
const remote = [
  "http://llm.example",
  "http://192.168.1.5:11434",
  "http://10.0.0.1",
  "http://0.0.0.0:8000",
  "http://128.0.0.1",
  "http://localhost.example",
  "http://notlocalhost",
  "http://127.0.0.1.example",
  "http://[::2]",
  "http://[fe80::1]",
  "http://[::ffff:128.0.0.1]",
  "http://host.docker.internal:11434",
];

describe("requireEncryption", () => {
  it.each(loopback)("allows a key to this machine: %s", (url) => {
    expect(isLoopback(new URL(url))).toBe(true);
    expect(() => requireEncryption(new URL(url), { secrets: ["key"] })).not.toThrow();
  });

  it.each(remote)("refuses plain http to another machine with a key, and allows it without one: %s", (url) => {
    expect(isLoopback(new URL(url))).toBe(false);
    const send = (secrets: string[], allowInsecure?: boolean) => () =>
      requireEncryption(new URL(url), { secrets, allowInsecure });
    expect(send(["", "key"])).toThrow(expect.objectContaining({ code: "insecure", retryable: false }));
    expect(send(["key"])).toThrow(new URL(url).host);
    expect(send(["key"], false)).toThrow("`allowInsecure`");
    expect(send(["key"], true)).not.toThrow();
    expect(send(["", " "])).not.toThrow();
  });

  it("allows a key to any server over https", () => {
    expect(() => requireEncryption(new URL("https://llm.example"), { secrets: ["key"] })).not.toThrow();
  });

  it("uses the given name of the option", () => {
    const demand = { secrets: ["key"], option: "--allow-insecure" };
    expect(() => requireEncryption(new URL("http://llm.example"), demand)).toThrow("`--allow-insecure`");
  });
});
