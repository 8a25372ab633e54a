import { describe, expect, it } from "vitest";
import { packages } from "../packages.ts";
import { root } from "../workspace.ts";
import { type Call, calls, type Things } from "./calls.ts";
import { takersOf } from "./takers.ts";

const folders = Object.keys(packages)
  .filter((folder) => folder.startsWith("packages/"))
  .map((folder) => `${root}/${folder}`);
const takers = takersOf(folders);
const keyOf = ({ key, at }: { key: string; at: number }) => `${key} ${at}`;

describe("every function that takes options", () => {
  it("stands in the table of calls, and nothing else does", () => {
    expect(Object.keys(calls).sort()).toEqual(takers.map(keyOf).sort());
  });
});
