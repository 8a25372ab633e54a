import { describe, expect, it } from "vitest";
import { eventually, within } from "./deadline.ts";

const never = new Promise<never>(() => {});

describe("within", () => {
  it("resolves and rejects as the promise does", async () => {
    expect(await within(Promise.resolve(1), 1000, "Nothing came")).toBe(1);
    await expect(within(Promise.reject(new Error("broken")), 1000, "Nothing came")).rejects.toThrow("broken");
  });

  it("rejects when the time is over, and names it in seconds", async () => {
    await expect(within(never, 20, "Nothing came")).rejects.toThrow("Nothing came within 0.02 s.");
  });

  it("leaves no rejection unhandled when the promise rejects after the deadline", async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", listen);
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 20));
    await expect(within(late, 1, "Nothing came")).rejects.toThrow("within");
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.off("unhandledRejection", listen);
    expect(unhandled).toEqual([]);
  });
});

describe("eventually", () => {
  it.each([
    ["at once", [7]],
    ["after undefined and false", [undefined, false, 7]],
  ])("returns what is found %s", async (_, looks) => {
    const left = [...looks];
    expect(await eventually(() => left.shift(), 1000, "Nothing was found")).toBe(7);
  });

  it("takes 0, null and the empty text for something", async () => {
    for (const value of [0, null, ""]) expect(await eventually(() => value, 0, "Nothing was found")).toBe(value);
  });

  it("waits for looks that take time", async () => {
    let looks = 0;
    expect(await eventually(async () => ++looks > 2, 1000, "Nothing was found")).toBe(true);
    expect(looks).toBe(3);
  });

  it("rejects when the time is over, and at once when the look throws", async () => {
    await expect(eventually(() => false, 10, "Nothing was found")).rejects.toThrow("Nothing was found within 0.01 s.");
    const broken = () => Promise.reject(new Error("broken"));
    await expect(eventually(broken, 60_000, "Nothing was found")).rejects.toThrow("broken");
  });
});
