import type { Piece } from "@cogency/protocol/parts";
import { describe, expect, it } from "vitest";
import { joinsMessages, piecesMessages, readJoinsMessage, readRoomMessage, whoMessage } from "./messages.ts";
import { longestText } from "./seals.ts";

const text: Piece = { type: "text", run: "r", seq: 0, unit: 1, offset: 0, text: "a" };
const args: Piece = { type: "args", run: "r", seq: 0, unit: 2, offset: 0, text: "{", call: "c", name: "n" };
const progress: Piece = { type: "progress", run: "r", seq: 0, call: "c", update: null };

describe("messages between stores", () => {
  it("are read as they were written", () => {
    expect(readRoomMessage(whoMessage("me"))).toEqual({ from: "me", who: true });
    const messages = piecesMessages("me", [text, args, progress]);
    expect(messages.map(readRoomMessage)).toEqual([{ from: "me", pieces: [text, args, progress] }]);
  });

  it("fit into payloads, however much they hold", () => {
    const from = "x".repeat(16);
    const messages = [
      ...piecesMessages(from, [{ ...text, text: "é".repeat(100_000) }]),
      ...joinsMessages(
        from,
        "follows",
        Array.from({ length: 1_000 }, () => "i".repeat(22)),
      ),
    ];
    for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThanOrEqual(longestText);
    const read = messages.map(readJoinsMessage).flatMap((message) => message?.follows ?? []);
    expect(read).toHaveLength(1_000);
  });

  it.each([
    "",
    "null",
    "[]",
    "1",
    '"x"',
    "{}",
    '{"from":1,"who":true}',
    '{"from":"a"}',
    '{"from":"a","pieces":{}}',
    "{",
  ])("are not %j", (message) => expect(readRoomMessage(message)).toBeUndefined());

  it.each<[string, object]>([
    ["no object", []],
    ["a type of a later version", { ...text, type: "picture" }],
    ["a run that is no text", { ...text, run: 1 }],
    ["a negative number", { ...text, seq: -1 }],
    ["half a unit", { ...text, unit: 0.5 }],
    ["an offset that is a text", { ...text, offset: "0" }],
    ["an offset beyond what is counted", { ...text, offset: 1e300 }],
    ["no text", { ...text, text: null }],
    ["a call that is no text", { ...args, call: {} }],
    ["a name that is no text", { ...args, name: [] }],
    ["progress without an update", { type: "progress", run: "r", seq: 0, call: "c" }],
  ])("leave out a piece with %s", (_, piece) => {
    const message = JSON.stringify({ from: "a", pieces: [piece, text, null, "x"] });
    expect(readRoomMessage(message)).toEqual({ from: "a", pieces: [text] });
  });

  it("leave out ids that are none", () => {
    const message = '{"from":"a","asks":["b",1,null],"follows":"x","leaves":{}}';
    expect(readJoinsMessage(message)).toEqual({ from: "a", asks: ["b"], follows: [], leaves: [] });
    expect(readJoinsMessage('{"asks":["b"]}')).toBeUndefined();
  });
});
