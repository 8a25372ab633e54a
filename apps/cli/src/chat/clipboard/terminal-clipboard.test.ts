import { describe, expect, it } from "vitest";
import { TerminalClipboard } from "./terminal-clipboard.ts";

const answer = (text: string) => `\u001b]52;c;${Buffer.from(text).toString("base64")}\u0007`;

function asked(time = 60_000) {
  const written: string[] = [];
  const clipboard = new TerminalClipboard((bytes) => void written.push(bytes), time);
  return { clipboard, written };
}

describe("the clipboard of a terminal", () => {
  it.each([
    ["whole", [answer("hello\r\nthere")]],
    ["in pieces", [answer("hello\r\nthere").slice(0, 12), answer("hello\r\nthere").slice(12)]],
    ["with another end", [answer("hello\r\nthere").replace("\u0007", "\u001b\\")]],
    ["whose end comes alone", [answer("hello\r\nthere").slice(0, -1), "\u001b\\"]],
  ])("is read from an answer that comes %s", async (_, pieces) => {
    const { clipboard, written } = asked();
    const text = clipboard.ask();
    expect(written).toEqual(["\u001b]52;c;?\u0007"]);
    expect(pieces.map((piece) => clipboard.take(piece))).toEqual(pieces.map(() => true));
    expect(await text).toBe("hello\nthere");
    expect(clipboard.take("x")).toBe(false);
  });

  it("is not read unless it was asked for: such an answer is no key either", async () => {
    const { clipboard, written } = asked();
    expect(clipboard.take(answer("rm -rf ~"))).toBe(true);
    expect(clipboard.take("y")).toBe(false);
    expect(written).toEqual([]);
    const text = clipboard.ask();
    clipboard.take(answer("mine"));
    expect(await text).toBe("mine");
  });

  it.each([
    ["is empty", ["\u001b]52;c;\u0007"]],
    ["is not what it should be", ["\u001b]52;c;!!!\u0007"]],
    ["is cut off by another key", ["\u001b]52;c;aGVs", "\u001b[A"]],
  ])("has nothing where the answer %s", async (_, pieces) => {
    const { clipboard } = asked();
    const text = clipboard.ask();
    for (const piece of pieces) clipboard.take(piece);
    expect(await text).toBeUndefined();
    expect(clipboard.take("x")).toBe(false);
  });

  it("has nothing where no answer comes", async () => {
    const { clipboard } = asked(1);
    expect(await clipboard.ask()).toBeUndefined();
  });

  it("leaves out of the text what would press keys", async () => {
    const { clipboard } = asked();
    const text = clipboard.ask();
    clipboard.take(answer("a\u001b[201~\u0007b"));
    expect(await text).toBe("ab");
  });
});
