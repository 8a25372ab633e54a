import type { Tool } from "@cogency/tools";
import { expect, it } from "vitest";
import { rulesAllowing } from "./rule-for.ts";

const call = { id: "1", name: "mine", args: { text: "x" } };
const surroundings = { base: "/p", isolated: false, hosts: [] };

it("a tool that is not the app's own is allowed by its name, and one that is not there by nothing", () => {
  const request = { call, tool: {} as Tool };
  expect(rulesAllowing(request, { ...surroundings, tools: ["mine"] })).toEqual([["mine"]]);
  expect(rulesAllowing(request, { ...surroundings, tools: ["other"] })).toEqual([]);
  expect(rulesAllowing(request, surroundings)).toEqual([]);
});
