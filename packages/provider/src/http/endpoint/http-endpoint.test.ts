import { describe, expect, it } from "vitest";
import { httpEndpoint } from "./http-endpoint.ts";

const key = "key-of-the-test";
const url = new URL("https://parrot.example/v1?token=secret%2Fvalue");

describe("httpEndpoint", () => {
  it.each([
    ["a key", key],
    ["a header", "value-of-a-header"],
    ["a value of the query, as it is sent", "secret%2Fvalue"],
    ["a value of the query, as it is meant", "secret/value"],
    ["a further secret", "another-secret"],
  ])("removes %s from texts", (_, secret) => {
    const settings = { headers: { "x-own": "value-of-a-header" }, secrets: ["another-secret"] };
    expect(httpEndpoint({ url, keys: [key], ...settings }).redact(`It is ${secret}.`)).toBe("It is [redacted].");
  });

  it.each<[string, object]>([
    ["a key", { keys: [key] }],
    ["a header", { headers: { "x-own": "value" } }],
    ["a query", { url: new URL("http://parrot.example/?token=value") }],
  ])("refuses to send %s readable to another machine, unless it is allowed", (_, given) => {
    const settings = { url: new URL("http://parrot.example"), keys: [], ...given };
    expect(() => httpEndpoint(settings)).toThrow(expect.objectContaining({ code: "insecure" }));
    expect(httpEndpoint({ ...settings, allowInsecure: true }).url.host).toBe("parrot.example");
    const notSent = { url: new URL("http://parrot.example"), keys: [], secrets: [key] };
    expect(httpEndpoint(notSent).redact(key)).toBe("[redacted]");
  });

  it("applies the limits to what it fetches", async () => {
    const fetch = async () => new Response("Too much.");
    const endpoint = httpEndpoint({ url, keys: [], limits: { answerBytes: 3 }, fetch });
    expect(endpoint.limits).toMatchObject({ answerBytes: 3, calls: 1000 });
    const response = await endpoint.fetch(url);
    await expect(response.text()).rejects.toMatchObject({ code: "answer_too_large" });
    expect(() => httpEndpoint({ url, keys: [], limits: { calls: 0 } })).toThrow(RangeError);
  });
});
