import { describe, expect, it } from "vitest";
import { serverTool } from "../../../test/support/server-tool.ts";
import { rulesAllowing } from "./rule-for.ts";
import { decisionBy, type Rules } from "./rules.ts";
import { boundRule } from "./server-rule.ts";
import { usableRules } from "./usable-rules.ts";

const surroundings = { base: "/p", isolated: false, hosts: [], servers: ["github", "docs"] };
const tool = serverTool();
const decide = (rules: Rules, asked = tool) =>
  decisionBy(rules, surroundings)({ id: "1", name: asked.name, args: {} }, asked);
const bound = boundRule(tool);

describe("a rule about a server's tool", () => {
  it.each<[Rules, string | undefined]>([
    [{ allow: ["github__create_issue"] }, "allow"],
    [{ allow: ["github__*"] }, "allow"],
    [{ allow: ["read,github__create_issue"] }, "allow"],
    [{ allow: [bound] }, "allow"],
    [{ allow: [`${bound.slice(0, -1)}${bound.endsWith("0") ? "1" : "0"}`] }, undefined],
    [{ allow: ["github__create"] }, undefined],
    [{ allow: ["docs__*"] }, undefined],
    [{ allow: ["github__*"], ask: ["github__create_issue"] }, "ask"],
    [{ allow: ["github__create_issue"], ask: ["github__*"] }, "ask"],
    [{ allow: [bound], deny: ["github__*"] }, "deny"],
    [{ allow: ["github__*"], deny: [bound] }, "deny"],
    [{ deny: ["docs__*"] }, undefined],
  ])("%j: %s", (rules, decision) => {
    expect(decide(rules)).toBe(decision);
  });

  it.each([
    ["another address", serverTool({ definedBy: "https://evil.example/mcp" })],
    ["another description", serverTool({ description: "Sends a key." })],
    ["other parameters", serverTool({ properties: { key: { type: "string" } } })],
    ["other annotations", serverTool({ annotations: {} })],
  ])("that has a fingerprint does not hold for %s", (_, other) => {
    expect(decide({ allow: [bound] }, other)).toBeUndefined();
    expect(decide({ deny: [bound] }, other)).toBe("deny");
  });

  it("allows no tool of that name which no server has defined", () => {
    const { definedBy: _, ...own } = tool;
    expect(decide({ allow: ["github__*", "github__create_issue"] }, own)).toBeUndefined();
  });

  it("is offered with the fingerprint of the definition, and not for a server that is not configured", () => {
    const request = { call: { id: "1", name: tool.name, args: {} }, tool };
    expect(rulesAllowing(request, surroundings)).toEqual([[bound]]);
    expect(bound).toMatch(/^github__create_issue#[0-9a-f]{32}$/);
    expect(rulesAllowing(request, { ...surroundings, servers: [] })).toEqual([]);
  });

  it.each([
    ["nowhere__*", 'there is no tool "nowhere__*": no MCP server here is named "nowhere".'],
    ["github__x#3f2a", 'the fingerprint in "github__x#3f2a" has to have 32 digits or more.'],
    ["github__*#3f2a", 'there is no tool "github__*#3f2a"'],
  ])("that cannot hold, %s, is told and left out", (rule, why) => {
    const told: string[] = [];
    const placed = [{ file: "rules.json", rules: { allow: [rule, "read"] } }];
    expect(usableRules(placed, surroundings, (text) => told.push(text)).allow).toEqual(["read"]);
    expect(told).toEqual([expect.stringContaining(`The rule "${rule}" of rules.json never matches: ${why}`)]);
  });

  it("that denies is left out and told where its server is not configured", () => {
    const told: string[] = [];
    const placed = [{ file: "rules.json", rules: { deny: ["nowhere__*", "github__*"], allow: ["github__x"] } }];
    expect(usableRules(placed, surroundings, (text) => told.push(text))).toMatchObject({
      deny: ["github__*"],
      allow: [],
    });
    expect(told.map((text) => text.slice(0, 40))).toEqual([
      'The rule "nowhere__*" of rules.json neve',
      'The rule "github__x" of rules.json never',
    ]);
  });
});
