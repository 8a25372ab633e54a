/** Lets `perMinute` things through in a minute, in bursts of as many. */
export interface Rate {
  /** Whether one more may pass. */
  take(): boolean;
}

export function createRate(perMinute: number, now: () => number = () => performance.now()): Rate {
  let left = perMinute;
  let last = now();
  return {
    take() {
      const at = now();
      left = Math.min(perMinute, left + ((at - last) / 60_000) * perMinute);
      last = at;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
