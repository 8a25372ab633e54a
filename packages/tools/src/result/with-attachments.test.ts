import { describe, expect, it, vi } from "vitest";
import { batchContext, executorOf, freeTool } from "../../test/support/fixtures.ts";

describe("withAttachments", () => {
  it("is understood by an executor of another copy of this package", async () => {
    vi.resetModules();
    const copy = await import("./with-attachments.ts");
    const picture = { kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
    const shows = freeTool("shows", () => copy.withAttachments("seen", [picture]));
    const [execution] = await executorOf([shows]).run([{ name: "shows", args: {} }], batchContext());
    expect(execution).toMatchObject({ value: "seen", attachments: [picture] });
  });
});
