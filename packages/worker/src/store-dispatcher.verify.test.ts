import { describe, it } from "vitest";
import { longCases } from "../test/support/store-dispatcher-cases.ts";

describe("storeDispatcher", () => {
  for (const { name, run } of longCases) it(name, run);
});
