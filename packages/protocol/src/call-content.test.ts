import { describe, expect, it } from "vitest";
import { callOf } from "./call-content.ts";

describe("callOf", () => {
  it("gives the call of an event, with its id if it has one", () => {
    const event = { content: '{"name":"a","args":{"x":1}}' };
    expect(callOf(event)).toEqual({ name: "a", args: { x: 1 } });
    expect(callOf({ ...event, id: "call_1" })).toEqual({ name: "a", args: { x: 1 }, id: "call_1" });
  });

  it.each(['{"name":1}', "null", "", "garbage", '{"name":"a","args":[]}'])("says that %j is no call", (content) => {
    expect(() => callOf({ content })).toThrow(`Not the JSON text of a call: ${content}`);
  });
});
