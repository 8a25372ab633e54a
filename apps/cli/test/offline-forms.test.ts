import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { place } from "./support/command-line.ts";

const ways: readonly (readonly string[])[] = [
  [],
  ["--dialect", "xml"],
  ["--driver", "native"],
  ["--driver", "react"],
  ["--driver", "auto"],
];

const schema = {
  type: "object",
  properties: { summary: { type: "string" }, files: { type: "integer", minimum: 1 }, note: { type: "string" } },
  required: ["summary", "files"],
  additionalProperties: false,
};

describe("the offline model", () => {
  it.each(ways)("reads, lists and answers with %s %s", async (...way) => {
    const run = ["run", "--provider", "offline", "list . and read notes.txt", ...way];
    const { code, stdout, stderr } = await place().cogency(run);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/✓ (list|read).*✓ (list|read)/s) });
    expect(stdout).toContain("- `notes.txt`");
    expect(stdout).not.toContain("<end>");
  });

  it.each(ways)("fills a schema after its calls with %s %s", async (...way) => {
    const at = place();
    writeFileSync(join(at.folder, "schema.json"), JSON.stringify(schema));
    const run = ["run", "--provider", "offline", "list . and read notes.txt", "--schema", "schema.json", ...way];
    const { code, stdout, stderr } = await at.cogency(run);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("!") });
    expect(JSON.parse(stdout)).toMatchObject({ summary: expect.stringContaining("`notes.txt`"), files: 1 });
  });
});
