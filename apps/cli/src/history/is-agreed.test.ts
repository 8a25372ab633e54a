import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { fakeStream } from "../../test/fake-stream.ts";
import { isAgreed } from "./is-agreed.ts";

describe("isAgreed", () => {
  it.each([
    ["y\n", true],
    [" Yes \n", true],
    ["n\n", false],
    ["\n", false],
    ["yesterday\n", false],
    ["", false],
  ])("takes %j for %s", async (typed, agreed) => {
    const input = new PassThrough();
    const output = fakeStream();
    input.end(typed);
    expect(await isAgreed(["a · 1 event", "b · 2 events"], { input, output })).toBe(agreed);
    expect(output.read()).toBe("  a · 1 event\n  b · 2 events\nDelete these 2 for good? [y/N] ");
  });
});
