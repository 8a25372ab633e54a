import { collect, textOf } from "@tooling/wires/collect";
import { describe, expect, it } from "vitest";
import { openSession } from "../../test/support/realtime-endpoint.ts";
import { errorEvent, failed } from "../../test/support/realtime-server.ts";

describe("a send over Realtime", () => {
  it.each([
    {
      name: "the limit",
      done: incomplete("max_output_tokens"),
      finish: { reason: "length", raw: "max_output_tokens" },
    },
    { name: "a filter", done: incomplete("content_filter"), finish: { reason: "content_filter" } },
    { name: "another reason", done: incomplete("mood"), finish: { reason: "other", raw: "mood" } },
  ])("reports that $name has ended the answer", async ({ done, finish }) => {
    const { session } = await openSession({ answer: () => ({ done }) });
    expect((await collect(session.send("Go."))).at(-1)).toMatchObject(finish);
  });

  it("yields no usage if the server reports none", async () => {
    const { session } = await openSession({ answer: () => ({ done: { usage: null } }) });
    expect((await collect(session.send("Go."))).map(({ type }) => type)).toEqual(["text", "text", "text", "finish"]);
  });

  it("reads the deltas of older servers", async () => {
    const { session } = await openSession({ answer: () => ({ deltaType: "response.text.delta" }) });
    expect(textOf(await collect(session.send("Go.")))).toBe("You said Go..");
  });

  it.each([
    { name: "failed", done: failed("server_error", "Oh no."), error: { code: "server", retryable: true } },
    { name: "was refused for the rate", done: failed("rate_limit_exceeded", "Slow."), error: { code: "rate_limit" } },
    { name: "was refused for good", done: failed("insufficient_quota", "Pay."), error: { retryable: false } },
    { name: "was cancelled by the server", done: { status: "cancelled" }, error: { code: "server" } },
  ])("throws a typed error with the partial text if the response $name", async ({ done, error }) => {
    const { session } = await openSession({ answer: (text) => (text === "Fail." ? { done } : {}) });
    await expect(collect(session.send("Fail."))).rejects.toMatchObject({ partial: "You said Fail..", ...error });
    expect(textOf(await collect(session.send("Go on.")))).toBe("You said Go on..");
  });

  it.each([
    { name: "about what it sent", before: [errorEvent("event_4", "bad")], thrown: true },
    { name: "about nothing in particular", before: [errorEvent(null, "bad")], thrown: true },
    { name: "about something else", before: [errorEvent("event_99", "bad")], thrown: false },
    {
      name: "about a cancel that came too late",
      before: [errorEvent(null, "response_cancel_not_active")],
      thrown: false,
    },
  ])("is ended by an error $name: $thrown", async ({ before, thrown }) => {
    const { session } = await openSession({ answer: () => ({ before }) });
    const events = collect(session.send("Go."));
    if (thrown) await expect(events).rejects.toMatchObject({ code: "bad_request" });
    else expect((await events).at(-1)).toMatchObject({ reason: "stop" });
  });

  it("throws the server's error about the history from the first send", async () => {
    const { session } = await openSession({
      intercept: (event) => (event.event_id === "event_2" ? [errorEvent("event_2", "too_long")] : undefined),
    });
    await expect(collect(session.send("Go."))).rejects.toMatchObject({ code: "bad_request" });
  });

  it.each(["{", "[]", '"hello"', "{}"])("throws `bad_response` for %s", async (text) => {
    const { session } = await openSession({ answer: () => ({ before: [text] }) });
    await expect(collect(session.send("Go."))).rejects.toMatchObject({ code: "bad_response" });
  });

  it("ignores unknown events and events of another response", async () => {
    const { session, server } = await openSession({
      answer: (_, asked) =>
        asked === 0
          ? {}
          : {
              before: [
                { type: "response.output_text.delta", response_id: server.current.responses[0], delta: "LEAK" },
                { type: "response.output_audio.delta", response_id: "resp_x", delta: "AAAA" },
                { type: "weather.updated", sun: true },
              ],
            },
    });
    await collect(session.send("One."));
    expect(textOf(await collect(session.send("Two.")))).toBe("You said Two..");
  });

  it("throws `timeout` if the answer does not begin", async () => {
    const { session } = await openSession({
      intercept: ({ type }) => (type === "response.create" ? [] : undefined),
      timeouts: { firstByte: 100 },
    });
    const message = expect.stringContaining("begin its answer within 100 ms");
    await expect(collect(session.send("Go."))).rejects.toMatchObject({ code: "timeout", message });
  });
});

function incomplete(reason: string): object {
  return { status: "incomplete", status_details: { type: "incomplete", reason } };
}
