import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { longestTimer } from "./longest-timer.ts";
import { pausableTimer } from "./pausable-timer.ts";

describe("pausableTimer", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function timerOf(milliseconds: number) {
    const expire = vi.fn();
    return { ...pausableTimer(milliseconds, expire), expire };
  }

  it("expires once, after its time", () => {
    const { expire } = timerOf(10);
    vi.advanceTimersByTime(9);
    expect(expire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(100);
    expect(expire).toHaveBeenCalledOnce();
  });

  it("does not count pauses, of which several may overlap", () => {
    const { expire, pause, resume } = timerOf(10);
    vi.advanceTimersByTime(6);
    pause();
    pause();
    vi.advanceTimersByTime(100);
    resume();
    vi.advanceTimersByTime(100);
    resume();
    vi.advanceTimersByTime(3);
    expect(expire).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(expire).toHaveBeenCalledOnce();
  });

  it("never expires when it was stopped, also after a pause, or with a longer time than timers have", () => {
    const stopped = timerOf(10);
    stopped.pause();
    stopped.stop();
    stopped.resume();
    const endless = timerOf(longestTimer + 1);
    endless.pause();
    endless.resume();
    expect(vi.getTimerCount()).toBe(0);
    expect(stopped.expire).not.toHaveBeenCalled();
    expect(endless.expire).not.toHaveBeenCalled();
  });
});
