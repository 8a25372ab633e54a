import { describe, expect, it } from "vitest";
import { applyEdits } from "./apply-edits.ts";

describe("applyEdits", () => {
  it("takes time linear in the text", () => {
    const applied = applyEdits("ab".repeat(400_000), [
      { old: "a", new: "xyz", all: true },
      { old: "b", new: "", all: true },
    ]);
    expect(applied.replaced).toBe(800_000);
    expect(applied.text).toBe("xyz".repeat(400_000));
  });
});
