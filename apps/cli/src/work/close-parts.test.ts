import { describe, expect, it } from "vitest";
import { closeParts } from "./close-parts.ts";

describe("closeParts", () => {
  it("closes each part, also after one that throws, and waits until they are closed", async () => {
    const closed: string[] = [];
    const part = (name: string, close: () => Promise<void>) => ({
      capabilities: [],
      close: async () => {
        await close();
        closed.push(name);
      },
    });
    const fails = () => {
      throw new Error("The server is gone.");
    };
    const slowly = () => new Promise<void>((resolve) => setImmediate(resolve));
    await closeParts([part("a", fails), { capabilities: [] }, part("b", slowly), part("c", async () => {})]);
    expect(closed.sort()).toEqual(["b", "c"]);
  });

  it("does not wait for a part that never closes", async () => {
    await closeParts([{ capabilities: [], close: () => new Promise(() => {}) }], 1);
  });
});
