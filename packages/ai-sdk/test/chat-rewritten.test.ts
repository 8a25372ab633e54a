import type { LogEvent } from "@cogency/protocol";
import type { Piece } from "@cogency/protocol/parts";
import type { TurnItem } from "@cogency/server/bridge";
import { expect, it } from "vitest";
import type { ChatMessage } from "../src/chat/index.ts";
import { faultsOf } from "./support/check-chunks.ts";
import { judged } from "./support/judge.ts";
import { play } from "./support/play.ts";

const event = (seq: number, given: LogEvent): TurnItem => ({ type: "event", event: { ...given, seq } });
const said = (seq: number, content: string) => event(seq, { type: "user", content, timestamp: 0 });
const answered = (seq: number, content: string) => event(seq, { type: "respond", content, timestamp: 0 });
const piece = (run: string, seq: number, unit: number, text: string): TurnItem => ({
  type: "pieces",
  pieces: [{ type: "text", run, seq, unit, offset: 0, text } satisfies Piece],
});

it.each<[string, TurnItem[], string[]]>([
  [
    "stored as another one",
    [said(1, "Hi."), piece("r", 1, 1, "My key is 123"), answered(2, "My key is ***.")],
    ["My key is ***."],
  ],
  [
    "not the first one of its step",
    [said(1, "Hi."), answered(2, "First."), piece("r", 2, 2, "Secret"), answered(3, "Second.")],
    ["First.", "Second."],
  ],
  [
    "lost with its run",
    [said(1, "Hi."), piece("r", 1, 1, "Hel"), piece("s", 1, 1, "Good"), answered(2, "Good day.")],
    ["Good day."],
  ],
  ["lost, and nothing comes after it", [said(1, "Hi."), answered(2, "First."), piece("r", 2, 2, "Sec")], ["First."]],
])("a text that is %s is taken back from the page", async (_, items, texts) => {
  const { streams, messages } = play(items, { status: "completed" });
  const chunks = streams.get("1") ?? [];
  expect(faultsOf(chunks)).toEqual([]);
  expect(chunks.map(({ type }) => type)).toContain("reset-step");
  const message = await judged<ChatMessage>(chunks);
  expect(message?.parts.flatMap((part) => (part.type === "text" ? part.text : []))).toEqual(texts);
  expect(messages.at(-1)).toEqual(message);
});
