import { scripted } from "@cogency/provider";
import { expect, it } from "vitest";
import { createAgent } from "../../src/index.ts";

it.each([0, -5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "100"])(
  "`request.maxOutputTokens` of %s is refused: the budget counts with it",
  (maxOutputTokens) => {
    const request = { maxOutputTokens } as { maxOutputTokens: number };
    const make = () => createAgent({ provider: scripted([]), request });
    expect(make).toThrow(typeof maxOutputTokens === "string" ? TypeError : RangeError);
    expect(make).toThrow("`maxOutputTokens` is ");
  },
);
