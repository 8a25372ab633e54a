import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isolation } from "../support/isolation.ts";
import { ownExercises } from "./own.ts";
import { solve } from "./solve.ts";

const { isolated } = await isolation();

describe.runIf(isolated)("a model that knows the answer solves, through the tools alone,", () => {
  it.each(ownExercises.map((exercise, index) => [exercise.name, index % 2 === 0 ? "json" : "xml", exercise] as const))(
    "%s, in %s",
    async (name, dialect, { task, stub, tests, solution }) => {
      const root = mkdtempSync(join(tmpdir(), "cogency-exercise-"));
      onTestFinished(() => rmSync(root, { recursive: true, force: true }));
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, "README.md"), task);
      writeFileSync(join(root, name, `${name}.mjs`), stub);
      writeFileSync(join(root, name, `${name}.test.mjs`), tests);
      const exercise = {
        name,
        folder: name,
        instructions: "README.md",
        solution: { [`${name}.mjs`]: solution },
        test: `node ${name}.test.mjs`,
      };
      expect(await solve(root, exercise, dialect)).toMatchObject({
        failedBefore: true,
        passes: true,
        isExact: true,
        steps: 5,
      });
    },
  );
});
