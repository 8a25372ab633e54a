import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { goldenNames, goldenTest } from "./support/golden.ts";

it.concurrent.each(goldenNames)(
  "writes the test of %s as it stands in golden, where it runs with the other tests",
  async (name) => {
    const { source, data } = await goldenTest(name);
    const read = (file: string) => readFile(new URL(`golden/${file}`, import.meta.url), "utf8");
    expect(source).toBe(await read(`${name}.test.ts`));
    expect(data).toBe(await read(`${name}.recorded.json`));
  },
);
