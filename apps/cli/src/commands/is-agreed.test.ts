import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { fakeStream } from "../../test/support/fake-stream.ts";
import { isAgreed } from "./is-agreed.ts";

/** Resolves when the question is shown. */
function asked() {
  const input = new PassThrough();
  const output = fakeStream();
  const answer = isAgreed(["a · 1 event", "b · 2 events"], { input, output });
  return { input, answer, shown: new Promise((resolve) => output.once("data", resolve)) };
}

describe("isAgreed", () => {
  it.each([
    ["y\n", true],
    [" Yes \n", true],
    ["n\n", false],
    ["\n", false],
    ["yesterday\n", false],
    ["", false],
  ])("takes %j for %s", async (typed, agreed) => {
    const { input, answer, shown } = asked();
    expect(await shown).toBe("  a · 1 event\n  b · 2 events\nDelete these 2 for good? [y/N] ");
    input.end(typed);
    expect(await answer).toBe(agreed);
  });

  it("ignores input that was typed before the question", async () => {
    const { input, answer, shown } = asked();
    input.write("y\ny");
    await shown;
    input.write("\n");
    expect(await answer).toBe(false);
  });

  it("returns no if the input has already ended", async () => {
    const { input, answer } = asked();
    input.end();
    expect(await answer).toBe(false);
  });
});
