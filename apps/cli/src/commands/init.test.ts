import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { named, templateFiles } from "./init.ts";
import { packageNames } from "./package-names.ts";

const guide = readFileSync(
  join(import.meta.dirname, "../../../../packages/provider/docs/writing-a-provider.md"),
  "utf8",
);

describe("the templates of packages", () => {
  it("write the provider of the guide", async () => {
    const files = new Map(await templateFiles("provider", templates));
    const blocks = [...guide.matchAll(/```ts(?: no-run)?\n\/\/ ([\w.]+)\n(.*?)```/gs)];
    const shown = blocks.filter(([, name]) => name !== "conformance.ts");
    expect(shown.map(([, name]) => name).sort()).toEqual(
      [...files.keys()]
        .filter((path) => path.startsWith("src/"))
        .map((path) => path.slice(4).replace(".tests.", ".test.")),
    );
    for (const [, name, text = ""] of shown)
      expect(compact(files.get(`src/${name?.replace(".test.", ".tests.")}`))).toBe(compact(text));
  });

  it.each(["provider", "tool", "extension", "store"] as const)(
    "bear the names of a new %s, and no other",
    async (kind) => {
      const names = packageNames(kind, "sea-gull");
      const files = await templateFiles(kind, templates);
      const texts = files.map(([path, text]) => `${named(path, names)}\n${named(text, names)}`).join("\n");
      expect(texts).not.toMatch(/parrot/i);
      expect(texts).toContain(`"name": "cogency-${kind}-sea-gull"`);
      expect(files.map(([path]) => named(path, names))).toContain("src/sea-gull.ts");
    },
  );
});

const templates = join(import.meta.dirname, "../../templates");

/** Without the imports, whose order a formatter changes, and without the white space and commas that it changes. */
function compact(text = ""): string {
  return text
    .replace(/^import .*?;$/gms, "")
    .replace(/\s+/g, "")
    .replace(/,(?=[\])}])/g, "");
}
