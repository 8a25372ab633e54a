import { describe, it } from "vitest";
import { otherCases } from "../test/support/store-dispatcher-cases.ts";

describe("storeDispatcher", () => {
  for (const { name, run } of otherCases) it.concurrent(name, run);
});
