import { describe, it } from "vitest";
import { memoryCases } from "../../test/support/memory-cases.ts";

describe("memoryStore", () => {
  // Each store is another one. Most of these wait.
  for (const { name, run } of memoryCases) it.concurrent(name, run);
});
