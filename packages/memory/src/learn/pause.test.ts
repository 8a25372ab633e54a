import { expect, it } from "vitest";
import { Pause } from "./pause.ts";

it("a pause is twice as long after each failure in a row, at most an hour, at least what is asked for, and none after a success", () => {
  let now = 1000;
  const pause = new Pause(() => now);
  expect(pause.isOver).toBe(true);
  expect(Array.from({ length: 8 }, () => pause.failed())).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600]);
  expect(pause.isOver).toBe(false);
  now += 3600;
  expect(pause.isOver).toBe(true);
  pause.failed();
  now -= 5000;
  expect(pause.isOver).toBe(true);
  pause.succeeded();
  expect([pause.failed(90), pause.failed(90), pause.failed(1e9)]).toEqual([90, 120, 3600]);
});

it("a pause ends after many more failures than anyone has", () => {
  const pause = new Pause(() => 0);
  for (let at = 0; at < 5000; at++) pause.failed();
  expect(pause.failed()).toBe(3600);
});
