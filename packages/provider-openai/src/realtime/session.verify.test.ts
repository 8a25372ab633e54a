import { setTimeout as delay } from "node:timers/promises";
import { collect } from "@tooling/wires/collect";
import { describe, expect, it, onTestFinished } from "vitest";
import { failureOf, openSession } from "../../test/support/realtime-endpoint.ts";

const patience = { timeout: 10_000 };

describe("a send over Realtime", () => {
  it("throws `timeout` with the partial text if the server falls silent", async () => {
    const { session } = await openSession({
      answer: (text) => ({ hold: text === "Go." }),
      timeouts: { idle: 1_000 },
    });
    const partial = "You said Go..";
    await expect(collect(session.send("Go."))).rejects.toMatchObject({ code: "timeout", partial });
    expect((await collect(session.send("Go on."))).at(-1)).toMatchObject({ reason: "stop" });
  });

  it("is kept alive by pings of the server", async () => {
    const { session, server } = await openSession({
      answer: () => ({ hold: true }),
      timeouts: { idle: 1_000, total: 2_200 },
    });
    const pings = setInterval(() => server.current.socket.ping(), 50);
    onTestFinished(() => clearInterval(pings));
    const failure = await failureOf(collect(session.send("Go.")));
    expect(failure).toMatchObject({
      code: "timeout",
      message: expect.stringContaining("finish its answer within 2.2 s"),
    });
  });

  it("stops reading while the consumer stalls", async () => {
    const piece = "x".repeat(50_000);
    const most = Number.POSITIVE_INFINITY;
    const { session, server } = await openSession({
      answer: () => ({ pieces: Array<string>(500).fill(piece) }),
      limits: { answerCharacters: most, eventBytes: most, answerBytes: most },
    });
    const events = session.send("Go.")[Symbol.asyncIterator]();
    await events.next();
    await expect.poll(() => server.current.active, patience).toBeUndefined();
    // Time in which all of it would arrive if it was read.
    await delay(500);
    expect(server.current.socket.bufferedAmount).toBeGreaterThan(5_000_000);
    let length = piece.length;
    for (let next = await events.next(); !next.done; next = await events.next()) {
      if (next.value.type === "text") length += next.value.text.length;
    }
    expect(length).toBe(25_000_000);
  });
});
