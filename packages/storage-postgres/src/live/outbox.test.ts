import type { Piece } from "@cogency/protocol/parts";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createOutbox } from "./outbox.ts";

const piece = (text: string, offset = 0, unit = 1): Piece => ({ type: "text", run: "r", seq: 1, unit, offset, text });
const whole = [piece("all that is open")];

describe("createOutbox", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
  });

  it("joins what goes on, and keeps the latest progress of a call", () => {
    const outbox = createOutbox(() => whole);
    const progress = (update: number): Piece => ({ type: "progress", run: "r", seq: 1, call: "c", update });
    outbox.add([piece("a"), piece("b", 1), piece("again"), piece("c", 5, 2)]);
    outbox.add([progress(1), progress(2)]);
    expect(outbox.take()).toEqual([piece("ab"), piece("again"), piece("c", 5, 2), progress(2)]);
    expect(outbox.take()).toEqual([]);
    expect(outbox.isWaiting).toBe(false);
  });

  it("adds what is open from its beginning when it is needed, at most four times a second", () => {
    const outbox = createOutbox(() => whole);
    outbox.needWhole();
    outbox.add([piece("a")]);
    expect(outbox.take()).toEqual([piece("a"), ...whole]);
    outbox.needWhole();
    outbox.add([piece("b", 1)]);
    expect(outbox.take()).toEqual([piece("b", 1)]);
    expect(outbox.isWaiting).toBe(true);
    vi.advanceTimersByTime(250);
    expect(outbox.take()).toEqual(whole);
    expect(outbox.isWaiting).toBe(false);
  });

  it("drops what waits above a million characters, and then takes what is open", () => {
    const outbox = createOutbox(() => whole);
    for (let frame = 0; frame < 30; frame++) outbox.add([piece("x".repeat(100_000), frame * 100_000)]);
    expect(outbox.take()).toEqual(whole);
    outbox.add([piece("next")]);
    expect(outbox.take()).toEqual([piece("next")]);
  });

  it("is empty after `clear`", () => {
    const outbox = createOutbox(() => whole);
    outbox.add([piece("a")]);
    outbox.needWhole();
    outbox.clear();
    expect(outbox.isWaiting).toBe(false);
    expect(outbox.take()).toEqual([]);
  });
});
