import type { LogEvent } from "@cogency/protocol";
import type { Piece } from "@cogency/protocol/parts";
import type { StoredEvent } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { fakeStream } from "../../../test/support/fake-stream.ts";
import type { Block } from "../../screen/screen.ts";
import { TurnPage } from "./turn-page.ts";

/** A page of 60 columns. `screen` has what stands on it, and below that what may still change. */
function shown() {
  const paper: string[] = [];
  const stream = fakeStream();
  const add = (block: Block) => void paper.push(...block(60));
  const page = new TurnPage({ add, refresh() {}, stream }, () => 24);
  let last = 0;
  const store = (...events: LogEvent[]) => {
    for (const event of events) page.event({ ...event, seq: ++last } as StoredEvent, undefined);
  };
  const piece = (fields: object, run = "r") => page.pieces([{ run, seq: last, ...fields } as Piece]);
  return { page, paper, store, piece, rows: () => page.rows(60), screen: () => [...paper, ...page.rows(60)] };
}

const said: LogEvent = { type: "user", content: "go", timestamp: 1 };
const respond = (content: string): LogEvent => ({ type: "respond", content, timestamp: 2 });
const think = (content: string): LogEvent => ({ type: "think", content, timestamp: 2 });
const record = (kind: string, data: object, timestamp = 2) => ({ type: "record", kind, data, timestamp }) as LogEvent;
const command = { name: "shell", args: { command: "npm test" } };
const call: LogEvent = { type: "call", id: "1", content: JSON.stringify(command), timestamp: 2 };
const result = { tool: "shell", status: "success", content: { exitCode: 0, stdout: "one\n", stderr: "" } } as const;
const results: LogEvent = {
  type: "result",
  content: JSON.stringify([result]),
  ids: ["1"],
  timestamp: 4,
} as unknown as LogEvent;
const ended = record("run", { status: "completed" }, 5);

const answer = "The **first** paragraph.\n\n- one\n- two\n\nAnd the last.";

/** What the page shows of the stored events alone. */
function whole(...events: LogEvent[]): string[] {
  const { store, screen } = shown();
  store(...events);
  return screen();
}

describe("a watched run", () => {
  it("shows a text while it is written, and at its end what is shown of the log alone", () => {
    for (let at = 1; at < answer.length; at++) {
      const { store, piece, screen } = shown();
      store(said);
      piece({ type: "text", unit: 1, offset: 0, text: answer.slice(0, at) });
      if (at > 40) expect(screen()).toEqual(expect.arrayContaining(["> go", "The first paragraph.", "- one"]));
      piece({ type: "text", unit: 1, offset: at, text: answer.slice(at) });
      store(respond(answer), ended);
      expect(screen()).toEqual(whole(said, respond(answer), ended));
    }
  });

  it("shows a notice from outside as the chat does", () => {
    const content = "A notice from outside.\n- ci: \u001b[2Jfailed";
    const notice: LogEvent = {
      type: "user",
      content,
      origin: "notice",
      sources: [{ source: "ci", count: 1 }],
      timestamp: 1,
    };
    expect(whole(said, notice)).toEqual(expect.arrayContaining(["A notice from outside.", "- ci: \\u001b[2Jfailed"]));
  });

  it("shows a unit whole whose pieces were lost, at its beginning, in the middle or at its end", () => {
    for (const [from, to] of [
      [0, 10],
      [10, 20],
      [30, answer.length],
    ] as const) {
      const { store, piece, screen } = shown();
      store(said);
      if (from > 0) piece({ type: "text", unit: 1, offset: 0, text: answer.slice(0, from) });
      piece({ type: "text", unit: 1, offset: to, text: answer.slice(to) });
      store(respond(answer), ended);
      expect(screen()).toEqual(whole(said, respond(answer), ended));
    }
  });

  it("shows the end of a thought while it comes, and then that there was one", () => {
    const { store, piece, rows, paper } = shown();
    store(said);
    piece({ type: "thinking", unit: 1, offset: 0, text: "Let me see." });
    expect(rows()).toEqual(["", "thinking 0 s  Let me see."]);
    store(think("Let me see."), respond("I see."));
    expect(rows()).toEqual([]);
    expect(paper.slice(2)).toEqual(["", "thought briefly", "", "I see."]);
  });

  it("shows the arguments of a call while they are written, then the call with what it prints, then how it ended", () => {
    const { store, piece, rows, paper } = shown();
    store(said);
    piece({ type: "text", unit: 1, offset: 0, text: "I test." });
    piece({ type: "args", unit: 2, offset: 0, text: '{"comm', call: "1", name: "shell" });
    // A text may be stored after what follows it has begun.
    expect(rows()).toEqual(["", "I test.", '⋯ shell {"comm']);
    store(respond("I test."));
    piece({ type: "args", unit: 2, offset: 6, text: 'and":"npm', call: "1", name: "shell" });
    expect(rows()).toEqual(["", '⋯ shell {"command":"npm']);
    store(call, record("started", { id: "1" }, 3));
    expect(rows()).toEqual(["", "⋯ shell npm test  0 s"]);
    piece({ type: "progress", call: "1", update: { stream: "stdout", text: "one\ntw" } });
    piece({ type: "progress", call: "1", update: { stream: "stdout", text: "o" } });
    piece({ type: "progress", call: "other", update: { text: "not mine" } });
    expect(rows().slice(2)).toEqual(["    one", "    two"]);
    store(record("finished", { id: "1", result }, 4));
    expect(rows()).toEqual([]);
    store(results);
    expect(paper.slice(4)).toEqual(["", "✓ shell npm test  exit code 0, 1 line · 1.0 s", "    one"]);
  });

  it("says that a text broke off when no run is at work, and forgets its end; another run begins anew", () => {
    const { page, store, piece, paper, rows } = shown();
    store(said);
    piece({ type: "text", unit: 1, offset: 0, text: "One.\n\nTwo and" });
    piece({ type: "args", unit: 2, offset: 0, text: "{", call: "1", name: "shell" });
    expect(rows()).toEqual(["", "Two and", "⋯ shell {"]);
    page.idle();
    page.idle();
    const broken = "! What was being written here broke off, and is not part of";
    expect(paper.slice(2)).toEqual(["", "One.", "", broken, "the conversation."]);
    expect(rows()).toEqual([]);
    piece({ type: "text", unit: 1, offset: 0, text: "Three" }, "s");
    expect(rows()).toEqual(["", "Three"]);
    store(respond("Three."));
    expect(paper.slice(7)).toEqual(["", "Three."]);
  });

  it("says so, too, when a run that goes on with the conversation writes something else", () => {
    const { store, piece, paper, rows } = shown();
    store(said);
    piece({ type: "text", unit: 1, offset: 0, text: "One" });
    piece({ type: "text", unit: 1, offset: 0, text: "Another" }, "s");
    const broken = ["! What was being written here broke off, and is not part of", "the conversation."];
    expect(paper.slice(2)).toEqual(["", ...broken]);
    expect(rows()).toEqual(["", "Another"]);
    store(respond("What was stored."));
    expect(paper.slice(5)).toEqual([...broken, "", "What was stored."]);
  });
});
