import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { filesUnder } from "./files.ts";

describe("filesUnder", () => {
  const root = mkdtempSync(join(tmpdir(), "files-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("gives files at every depth, hidden ones too, but nothing that was installed or excluded", () => {
    const kept = [".hidden.ts", "src/.hidden/a.ts", "src/a.tsx", "src/dist/a.ts"];
    const left = ["dist/a.js", "node_modules/p/a.ts", "src/node_modules/a.ts", ".turbo/a.log"];
    for (const path of [...kept, ...left]) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), "");
    }
    expect(filesUnder(root, ["dist"])).toEqual(kept);
  });
});
