import type { RunEvent } from "@cogency/protocol";
import { describe, expect, it } from "vitest";
import { inUnits } from "./in-units.ts";

const text = (content: string, unit: number, type = "respond") => ({ type, content, unit });
const types = (...names: string[]) => names.map((type) => ({ type }));

/** What is shown of a run, without times and places. */
function shown(events: readonly object[], ends = true): object[] {
  const seen: object[] = [];
  const units = inUnits((event) => void seen.push(event));
  for (const event of events) units.event(event as RunEvent);
  if (ends) units.end();
  return seen;
}

describe("inUnits", () => {
  it("joins the pieces of a unit, and passes activity on after it", () => {
    const events = [
      text("a", 1, "think"),
      text("b", 1, "think"),
      text("{", 2),
      ...types("request_ended"),
      text("}", 2),
    ];
    expect(shown([...types("step_started"), ...events, ...types("end", "step_ended")])).toEqual([
      ...types("step_started"),
      { type: "think", content: "ab" },
      { type: "respond", content: "{}" },
      ...types("request_ended", "end", "step_ended"),
    ]);
  });

  it("shows calls before what is told of them, and only those of a block that closed", () => {
    const call = { type: "call", content: "{}" };
    expect(shown([...types("call_delta"), call, ...types("tool_started", "execute", "tool_ended", "result")])).toEqual([
      call,
      ...types("execute", "tool_started", "tool_ended", "result"),
    ]);
    expect(shown([call, ...types("error")])).toEqual(types("error"));
  });

  it("shows what a run that failed had written, once it is over", () => {
    expect(shown([text("{", 1), ...types("run_ended")], false)).toEqual([]);
    expect(shown([text("{", 1), ...types("run_ended")])).toEqual([
      { type: "respond", content: "{" },
      ...types("run_ended"),
    ]);
  });
});
