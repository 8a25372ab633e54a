import { describe, expect, it } from "vitest";
import { nativeForm } from "./native-form.ts";

const call = (requestId: string, name = "t") => ({ name, args: {}, content: "", requestId });

describe("nativeForm", () => {
  const logIds = [undefined, "call_1", "", "a b", "call_1", "x".repeat(41), "call_7", undefined];

  it("gives every call of a request an id of its own, for any ids in the log", () => {
    const form = nativeForm();
    const ids = logIds.map((id) => form.requestId?.(id));
    expect(ids).toEqual(["call_0", "call_1", "call_2", "call_3", "call_4", "call_5", "call_7", "call_7_"]);
  });

  it("writes these ids, and the same ones each time", () => {
    const form = nativeForm();
    const calls = logIds.map((id) => call(form.requestId?.(id) ?? ""));
    const written = () => form.assistantMessage({ units: [], calls }).calls?.map(({ id }) => id);
    expect(written()).toEqual(calls.map(({ requestId }) => requestId));
    expect(written()).toEqual(written());
  });

  it("shortens and rewrites names so that every provider accepts them", () => {
    const { calls } = nativeForm().assistantMessage({
      units: [],
      calls: [call("a", "ä".repeat(70)), call("b", "é 🚀.x")],
    });
    expect(calls?.map(({ name }) => name)).toEqual(["_".repeat(64), "____x"]);
  });

  it("makes a failure of a result that JSON cannot hold", () => {
    const form = nativeForm();
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const message = form.assistantMessage({ units: [], calls: [call("a")] });
    const [tool] = form.resultMessages([{ tool: "t", status: "success", content: cycle as never }], message);
    expect(tool).toMatchObject({
      results: [{ id: "a", failed: true, content: expect.stringContaining("cannot be written as JSON") }],
    });
  });
});
