import { describe, expect, it } from "vitest";
import { createPace } from "./pace.ts";

describe("a pace", () => {
  it("does less after a piece that took too long, and more after a quick one, in bounds", () => {
    const pace = createPace(20, { first: 40, most: 100 });
    expect(pace.amount()).toBe(40);
    pace.took(40);
    expect(pace.amount()).toBe(20);
    pace.took(10_000);
    expect(pace.amount()).toBe(5);
    for (let pieces = 0; pieces < 10; pieces++) pace.took(10_000);
    expect(pace.amount()).toBe(1);
    for (let pieces = 0; pieces < 10; pieces++) pace.took(0);
    expect(pace.amount()).toBe(100);
  });
});
