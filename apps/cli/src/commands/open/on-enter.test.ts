import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { onEnter } from "./on-enter.ts";

const settled = () => new Promise(setImmediate);

it("each Enter counts, whatever was typed before it, until nobody listens", async () => {
  const input = new PassThrough();
  let pressed = 0;
  const stop = onEnter(
    input,
    () => pressed++,
    () => true,
  );
  for (const text of ["\n", "open", " it\r\n", "x"]) {
    input.write(text);
    await settled();
  }
  expect(pressed).toBe(2);
  stop();
  input.write("\n");
  await settled();
  expect(pressed).toBe(2);
  expect(input.isPaused()).toBe(true);
});

it("nothing is read in the background, and again once the process has come to the front", async () => {
  const input = new PassThrough();
  let pressed = 0;
  let isInFront = true;
  const stop = onEnter(
    input,
    () => pressed++,
    () => isInFront,
  );
  const others = process.listeners("SIGCONT");
  for (const [now, expected] of [
    [false, 0],
    [true, 1],
    [false, 1],
  ] as const) {
    isInFront = now;
    // As the system does after Ctrl-Z.
    for (const listener of others) listener("SIGCONT");
    input.write("\n");
    await settled();
    expect(pressed).toBe(expected);
    expect(input.isPaused()).toBe(!now);
    // What the shell reads, this process never sees.
    if (!now) input.read();
  }
  stop();
  expect(process.listeners("SIGCONT")).toHaveLength(others.length - 1);
});
