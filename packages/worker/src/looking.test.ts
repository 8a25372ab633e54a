import { describe, expect, it } from "vitest";
import { Looking } from "./looking.ts";

describe("looking", () => {
  it("runs one look at a time, and one more after all that ask meanwhile, in whatever moment they ask", async () => {
    let open = 0;
    let looks = 0;
    const looking = new Looking(async () => {
      expect(++open).toBe(1);
      looks++;
      for (let tick = 0; tick < 3; tick++) await undefined;
      open--;
    });
    const asked: Promise<void>[] = [];
    for (let tick = 0; tick < 40; tick++) {
      const before = looks;
      const isOpen = open === 1;
      asked.push(looking.look().then(() => expect(looks).toBeGreaterThan(isOpen ? before : before - 0)));
      await undefined;
    }
    await Promise.all(asked);
    expect(looks).toBeLessThan(40);
  });
});
