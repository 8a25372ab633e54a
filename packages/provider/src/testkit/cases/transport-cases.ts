import { assertEqual } from "@cogency/protocol/testkit";
import { dataOverLines, withoutSpace } from "../event-stream.ts";
import type { ProviderCase } from "../provider-case.ts";
import { awkwardReply, plainReply, unicodeReply } from "../samples.ts";
import { eventsOf, type WireSubject } from "../subject.ts";

/** The same answer in other bytes, or in other pieces, yields the same events. */
export const transportCases: ProviderCase[] = [
  {
    name: "an answer in one piece and byte by byte gives the same events",
    on: "wire",
    async check(subject) {
      for (const reply of [plainReply, unicodeReply, awkwardReply]) {
        const whole = subject.wire.answer(reply).join("");
        await assertSame(subject, [whole], bytesOf(whole), "byte by byte");
      }
    },
  },
  {
    name: "characters of 2, 3 and 4 bytes that are cut at any byte stay whole",
    on: "wire",
    async check(subject) {
      const bytes = Buffer.from(subject.wire.answer(unicodeReply).join(""));
      const expected = await eventsOf(subject, subject.saying(unicodeReply).stream(subject.request), "the answer");
      for (const cut of cutsInCharacters(bytes)) {
        const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
        const stream = subject.answeredBy(subject.pieces(pieces)).stream(subject.request);
        const what = `cut after byte ${cut}, before 0x${bytes[cut]?.toString(16)}`;
        assertEqual(await eventsOf(subject, stream, what), expected, what);
      }
    },
  },
  sameCase("lines that end in CR LF", (frames) => frames.map((frame) => frame.replaceAll(/\r?\n/g, "\r\n"))),
  sameCase("lines that end in LF", (frames) => frames.map((frame) => frame.replaceAll("\r\n", "\n"))),
  sameCase("JSON over several data lines", (frames) => frames.map(dataOverLines)),
  sameCase("data lines without a space", (frames) => frames.map(withoutSpace)),
  sameCase("comments, empty lines, unknown fields and a byte order mark", (frames) => [
    "\uFEFF",
    ...frames.flatMap((frame) => [frame, "\n", ":\n\n", "retry: 1000\nunknown: field\n\n", ": keep-alive\n"]),
  ]),
  {
    name: "the last frame ends the answer although the server keeps the connection open",
    on: "wire",
    async check(subject) {
      const frames = subject.wire.answer(plainReply);
      const expected = await eventsOf(subject, subject.saying(plainReply).stream(subject.request), "the answer");
      const stream = subject.answeredBy(subject.pieces(frames, "hold")).stream(subject.request);
      assertEqual(await eventsOf(subject, stream, "a connection kept open"), expected, "the events");
      await subject.released("a connection kept open");
    },
  },
];

function sameCase(what: string, change: (frames: readonly string[]) => string[]): ProviderCase {
  return {
    name: `${what} change nothing`,
    on: "wire",
    needs: ["event_stream"],
    async check(subject) {
      for (const reply of [plainReply, unicodeReply]) {
        const frames = subject.wire.answer(reply);
        const changed = change(frames);
        await assertSame(subject, frames, changed, what);
        await assertSame(subject, frames, bytesOf(changed.join("")), `${what}, byte by byte`);
      }
    },
  };
}

async function assertSame(
  subject: WireSubject,
  usual: readonly string[],
  other: Iterable<string | Uint8Array>,
  what: string,
): Promise<void> {
  const eventsFrom = (pieces: Iterable<string | Uint8Array>) =>
    eventsOf(subject, subject.answeredBy(subject.pieces(pieces)).stream(subject.request), what);
  const expected = await eventsFrom(usual);
  assertEqual(await eventsFrom(other), expected, `the events of ${what}`);
}

/** Every position before, in and directly after a character of more than one byte. */
function cutsInCharacters(bytes: Uint8Array): number[] {
  const isLong = (index: number) => (bytes[index] ?? 0) >= 0x80;
  return [...bytes.keys()].filter((index) => index > 0 && (isLong(index) || isLong(index - 1)));
}

function* bytesOf(text: string): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let index = 0; index < bytes.length; index++) yield bytes.subarray(index, index + 1);
}
