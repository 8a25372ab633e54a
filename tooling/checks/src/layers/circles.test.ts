import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesUnder } from "../report/files.ts";
import { packagesIn, workspaceRoot } from "../workspace.ts";
import { circlesIn } from "./circles.ts";

/** Files in circles that are known. A number may only become smaller, and no package may be added. */
const known: Readonly<Record<string, number>> = { "packages/toolbox": 16 };

describe("the files of a package", () => {
  it.each(packagesIn(workspaceRoot, "packages", "apps").map(({ path }) => path))(
    "do not import one another in a circle: %s",
    (path) => {
      const folder = join(workspaceRoot, path, "src");
      const files = filesUnder(folder).filter((file) => /(?<!\.d|\.test|\.test-d)\.tsx?$/.test(file));
      const circles = circlesIn(new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")])));
      const most = known[path] ?? 0;
      expect(circles.flat().length > most ? circles : []).toEqual([]);
    },
  );
});

describe("a circle", () => {
  const circles = (files: Record<string, string>) => circlesIn(new Map(Object.entries(files)));

  it("is found however long it is, and through types", () => {
    const files = {
      "a.ts": 'import type { B } from "./room/b.ts";',
      "room/b.ts": 'export { c } from "./c.ts";',
      "room/c.ts": 'const a = await import("../a.ts");',
      "d.ts": 'import { a } from "./a.ts";',
    };
    expect(circles(files)).toEqual([["a.ts", "room/b.ts", "room/c.ts"]]);
  });

  it("is none where files only share another one", () => {
    expect(circles({ "a.ts": 'import "./c.ts";', "b.ts": 'import "./a.ts"; import "./c.ts";', "c.ts": "" })).toEqual(
      [],
    );
  });
});
