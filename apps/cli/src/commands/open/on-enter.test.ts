import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { onEnter } from "./on-enter.ts";

it("each Enter counts, whatever was typed before it, until nobody listens", async () => {
  const input = new PassThrough();
  let pressed = 0;
  const stop = onEnter(input, () => pressed++);
  for (const text of ["\n", "open", " it\r\n", "x"]) {
    input.write(text);
    await new Promise(setImmediate);
  }
  expect(pressed).toBe(2);
  stop();
  input.write("\n");
  await new Promise(setImmediate);
  expect(pressed).toBe(2);
  expect(input.isPaused()).toBe(true);
});
