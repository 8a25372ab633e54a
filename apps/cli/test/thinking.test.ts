import { describe, expect, it } from "vitest";
import { place } from "./support/command-line.ts";
import { modelServer } from "./support/model-servers.ts";

describe("--think", () => {
  it.each([
    ["Chat Completions", '"reasoning_effort":"high"'],
    ["Messages", '"output_config":{"effort":"high"}'],
    ["Gemini", '"thinkingLevel":"high"'],
  ] as const)("is what %s asks for, in its own words", async (wire, sent) => {
    const server = await modelServer("Hello.<end>", "Hello.<end>");
    const { cogency } = place();
    const { code, stderr } = await cogency(["run", "hi", "--think", "high", ...server.at(wire)]);
    expect({ code, bodies: server.requests.length }).toEqual({ code: 0, bodies: 1 });
    expect(JSON.stringify(server.requests[0])).toContain(sent);
    expect(stderr).not.toContain("thinking");
    await cogency(["run", "hi", ...server.at(wire)]);
    expect(JSON.stringify(server.requests[1])).not.toMatch(/effort|thinking/);
  });

  it("changes nothing with a model that has no levels, which is told", async () => {
    const { code, stderr } = await place().cogency(["run", "hi", "--think", "high", "--provider", "offline"]);
    expect(code).toBe(0);
    expect(stderr).toContain("The provider offline has no levels of thinking: --think changes nothing.");
  });

  it("takes the levels that there are", async () => {
    const { code, stderr } = await place().cogency(["run", "hi", "--think", "much", "--provider", "offline"]);
    expect(code).toBe(2);
    expect(stderr).toContain("off, low, medium, high, max");
  });
});
