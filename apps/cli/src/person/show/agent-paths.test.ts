import type { RunEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { AgentPaths, innermost, pathText } from "./agent-paths.ts";

const run = { id: "r", conversation: "c", step: 1, order: 0 };
const event = (type: string, fields: object): RunEvent => ({ type, timestamp: 0, run, ...fields }) as RunEvent;
const started = (id: string, agent: string) =>
  event("tool_started", { id, name: "agent", args: { agent, prompt: "go" } });
const inside = (id: string, inner: RunEvent) => event("subagent", { id, event: inner });

describe("AgentPaths", () => {
  it("names the agents in which an event happened, by the calls that started them", () => {
    const paths = new AgentPaths();
    const read = event("tool_started", { id: "1", name: "read", args: { file: "a.ts" } });
    const seen = [
      started("1", "reviewer"),
      inside("1", started("1", "tester")),
      inside("1", inside("1", read)),
      inside("1", read),
      read,
    ].map((one) => paths.read(one));
    expect(seen.map(({ path, event: { type } }) => [path.join(" › "), type])).toEqual([
      ["", "tool_started"],
      ["reviewer", "tool_started"],
      ["reviewer › tester", "tool_started"],
      ["reviewer", "tool_started"],
      ["", "tool_started"],
    ]);
    expect(new Set(seen.map(({ place }) => place))).toHaveLength(3);
  });

  it("tells two agents of one name apart, also if their calls have the same ids", () => {
    const paths = new AgentPaths();
    paths.read(started("1", "reviewer"));
    paths.read(started("2", "reviewer"));
    const read = event("tool_ended", { id: "1", name: "read" });
    expect(paths.read(inside("1", read)).place).not.toBe(paths.read(inside("2", read)).place);
  });

  it("calls an agent whose beginning it has not seen an agent, and forgets all when the run has ended", () => {
    const paths = new AgentPaths();
    paths.read(started("1", "reviewer"));
    paths.read(event("run_ended", { status: "completed" }));
    expect(paths.read(inside("1", event("end", {}))).path).toEqual(["agent"]);
  });

  it("finds the innermost event, and lets no name break a line", () => {
    const end = event("end", {});
    expect(innermost(inside("1", inside("2", end)))).toBe(end);
    expect(pathText(["a\u001b[2J\nb"], "read")).toMatch(/^a\S+ ?b › read$/);
  });
});
