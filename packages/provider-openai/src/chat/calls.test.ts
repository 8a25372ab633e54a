import { describe, expect, it } from "vitest";
import { type Call, call, callFixtures, piece } from "../../test/support/call-fixtures.ts";
import { addCall, type PendingCall, wholeCalls } from "./calls.ts";
import type { WireCall } from "./wire.ts";

describe("addCall", () => {
  it.each(callFixtures)("reads $name", ({ pieces, calls }) => {
    expect(read(pieces).calls).toEqual(calls);
  });

  it.each(callFixtures)("yields deltas that join to the calls: $name", ({ pieces }) => {
    const { calls, deltas } = read(pieces);
    for (const [index, { id, name }] of calls.entries()) {
      const own = deltas.filter((delta) => delta.index === index);
      expect(own.flatMap((delta) => delta.name ?? [])).toEqual([name]);
      for (const told of own.flatMap((delta) => delta.id ?? [])) expect(told).toBe(id);
    }
    expect(deltas.every(({ index }) => index < calls.length)).toBe(true);
  });

  it("does not change the given calls", () => {
    const [before] = addCall([], piece({ index: 0, id: "a", name: "read", arguments: '{"' }));
    const copy = structuredClone(before);
    addCall(before, piece({ index: 0, arguments: 'file":"x"}' }));
    expect(before).toEqual(copy);
  });

  it("gives back calls that are cut into pieces anywhere and sent in any order of calls", () => {
    for (let seed = 1; seed <= 500; seed++) {
      const random = randomFrom(seed);
      const calls = Array.from({ length: 1 + random(4) }, (_, place) =>
        call(`id_${place}`, `tool_${random(3)}`, JSON.stringify(randomValue(random, 3))),
      );
      expect(read(inTurns(calls, random)).calls, `seed ${seed}`).toEqual(calls);
      expect(read(resent(calls, random)).calls, `seed ${seed}, sent again and again`).toEqual(calls);
    }
  });

  it.each([
    { what: "the index alone", labels: { index: 0 } },
    { what: "id and name once more", labels: { index: 0, id: "a", name: "write" } },
    { what: "another id", labels: { index: 0, id: "b", name: "write" } },
  ])("adds small pieces of long arguments, each with $what, without reading all of them again", ({ labels }) => {
    const text = JSON.stringify({ text: "abc}".repeat(100_000) });
    const pieces = [piece({ index: 0, id: "a", name: "write", arguments: text.slice(0, 4) })];
    for (let at = 4; at < text.length; at += 4) pieces.push(piece({ ...labels, arguments: text.slice(at, at + 4) }));
    expect(read(pieces).calls).toEqual([call("a", "write", text)]);
  });
});

function read(pieces: readonly WireCall[]) {
  let pending: readonly PendingCall[] = [];
  const deltas = [];
  for (const each of pieces) {
    const [next, event] = addCall(pending, each);
    pending = next;
    if (event.type === "tool_call_delta") deltas.push(event);
  }
  const calls = wholeCalls(pending).flatMap((event) => {
    if (event.type !== "tool_call") return [];
    const { type: _, ...rest } = event;
    return [rest];
  });
  return { calls, deltas };
}

/** Whole numbers below a limit, the same for the same seed. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** An object that repeats itself inside, with braces and quotes where they confuse. */
function randomValue(random: (limit: number) => number, depth: number): object {
  const names = ["a", "in", '{"', "}"];
  const entries = Array.from({ length: random(3) }, () => {
    const leaf = ["", '{"a":', "}", '"', "\\", 1, null][random(7)];
    return [names[random(names.length)] ?? "a", depth > 0 && random(2) ? randomValue(random, depth - 1) : leaf];
  });
  return Object.fromEntries(entries);
}

/** As the wire documents it: index always, id and name with the first piece. */
function inTurns(calls: readonly Call[], random: (limit: number) => number): WireCall[] {
  const rests = calls.map((each, index) => ({ index, each, at: -1 }));
  const pieces: WireCall[] = calls.map(({ id, name }, index) => piece({ index, id, name, arguments: "" }));
  for (let open = rests; open.length > 0; open = open.filter(({ each, at }) => at < each.arguments.length)) {
    const rest = open[random(open.length)];
    if (!rest) break;
    const begin = Math.max(0, rest.at);
    rest.at = begin + 1 + random(8);
    pieces.push(piece({ index: rest.index, arguments: rest.each.arguments.slice(begin, rest.at) }));
  }
  return pieces;
}

/** Each call from its beginning with every piece. */
function resent(calls: readonly Call[], random: (limit: number) => number): WireCall[] {
  return calls.flatMap(({ id, name, arguments: text }, index) => {
    const pieces: WireCall[] = [];
    for (let end = 1 + random(8); end < text.length; end += 1 + random(8)) {
      pieces.push(piece({ index, id, name, arguments: text.slice(0, end) }));
    }
    return [...pieces, piece({ index, id, name, arguments: text })];
  });
}
