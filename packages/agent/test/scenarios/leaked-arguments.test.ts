import type { RunEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { conversation } from "../support/fixtures.ts";
import { agentOf, call, called, said, stop } from "../support/native.ts";

describe("an answer that repeats the arguments of its call as text", () => {
  describe.each<[string, string, boolean]>([
    ["the arguments of a call", '{"text":"a"}', true],
    ["them in another order and with spaces", ' { "text" : "a" }\n', true],
    ["other values", '{"text":"b"}', false],
    ["them in a fence", '```json\n{"text":"a"}\n```', true],
    ["them in a fence, and more", '```json\n{"text":"a"}\n```\nSo.', false],
    ["a list", "[1,2]", false],
    ["prose that holds them", 'I call it with {"text":"a"}', false],
    ["only the beginning of them", '{"text":', false],
  ])("text that is %s", (_, text, isLeaked) => {
    it(isLeaked ? "is left out, and that is told" : "is text", async () => {
      const heard: RunEvent[] = [];
      const events = [...text].map(said);
      const { store, go } = agentOf([{ events: [...events, ...call("echo", { text: "a" }), called] }, "Done."]);
      await go({ on: (event) => heard.push(event) }).result;
      const log = await store.load({ conversation });
      const responses = log.flatMap((event) => (event.type === "respond" ? [event.content] : []));
      expect(responses).toEqual(isLeaked ? ["Done."] : [text.trim(), "Done."]);
      const told = heard.filter((event) => event.type === "args_leaked");
      expect(told).toMatchObject(isLeaked ? [{ name: "echo" }] : []);
    });
  });

  it("keeps `{}` as text beside a call without arguments", async () => {
    const { store, go } = agentOf([{ events: [said("{}"), ...call("broken", {}), called] }, "Done."]);
    await go().result;
    const log = await store.load({ conversation });
    expect(log.flatMap((event) => (event.type === "respond" ? [event.content] : []))).toEqual(["{}", "Done."]);
  });

  it("keeps text whose values have another type than the arguments, before the call in one message", async () => {
    const { provider, go } = agentOf([
      { events: [said('{"n":"1"}'), ...call("echo", { n: 1 }), called] },
      { events: [said("Done."), stop] },
    ]);
    await go().result;
    expect(provider.requests[1]?.messages[1]).toMatchObject({ content: '{"n":"1"}', calls: [{ args: { n: 1 } }] });
  });

  it("leaves out text that has several arguments in another order", async () => {
    const { provider, go } = agentOf([
      { events: [said('{"b":2,"a":{"d":4,"c":3}}'), ...call("echo", { a: { c: 3, d: 4 }, b: 2 }), called] },
      { events: [said("Done."), stop] },
    ]);
    await go().result;
    expect(provider.requests[1]?.messages[1]).toMatchObject({ content: "", calls: [{ name: "echo" }] });
  });
});
