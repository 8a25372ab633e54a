import { describe, expect, it } from "vitest";
import { nearestNames } from "./nearest-names.ts";

describe("nearestNames", () => {
  it.each<[wanted: string, names: string[], nearest: string[]]>([
    ["confg.json", ["config.json", "package.json", "src"], ["config.json"]],
    ["README.md", ["readme.md", "src"], ["readme.md"]],
    ["echo_text", ["echo-text", "test"], ["echo-text"]],
    ["mian.ts", ["main.ts", "min.ts", "other.ts"], ["min.ts", "main.ts"]],
    ["unheard-of", ["src", "test"], []],
    ["functions.read", ["read", "write"], ["read"]],
    ["default_api:read", ["list", "read"], ["read"]],
    ["tools/read", ["read"], ["read"]],
    ["functions.read:0", ["read", "list"], ["read"]],
    ["mcp__files__Read_File", ["read-file", "write-file"], ["read-file"]],
    ["read()", ["read"], ["read"]],
    ["default_api::read", ["red", "read"], ["read"]],
    ["functions.launch", ["read"], []],
    ["foo.rs", ["src", "test"], []],
    ["a", ["a1", "a2", "a3", "a4"], ["a1", "a2", "a3"]],
  ])("finds for %s the names %j", (wanted, names, nearest) => {
    expect(nearestNames(wanted, names)).toEqual(nearest);
  });
});
