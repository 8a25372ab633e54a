import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { figuresIn } from "../report/svg.ts";
import { picture } from "../report/write-report.ts";
import { measureAll } from "./measure-all.ts";

it("gives the figures in the picture again; else run `pnpm --filter @tooling/token-cost bench --write`", async () => {
  expect(await measureAll()).toEqual(figuresIn(readFileSync(picture, "utf8")));
});
