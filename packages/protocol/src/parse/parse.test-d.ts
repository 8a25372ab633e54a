import { describe, expectTypeOf, it } from "vitest";
import type { AgentEvent } from "../events.ts";
import { parse, parseSync } from "./parse.ts";
import type { ParserEvent } from "./parser.ts";
import { createSettler, settle } from "./settle.ts";

/** Compiles only if every event of a parser has its case. */
function nameOf(event: ParserEvent): string {
  switch (event.type) {
    case "think":
    case "respond":
    case "call":
    case "call_delta":
      return event.content;
    case "execute":
    case "result":
    case "end":
    case "error":
      return event.type;
  }
}

describe("parse", () => {
  it("gives events that a switch over a parser's events exhausts", async () => {
    for await (const event of parse("")) expectTypeOf(nameOf(event)).toBeString();
    for (const event of parseSync("")) expectTypeOf(nameOf(event)).toBeString();
  });
});

describe("settle", () => {
  it("gives events of the types that it takes", () => {
    expectTypeOf(settle([] as ParserEvent[])).toEqualTypeOf<Generator<ParserEvent, void, undefined>>();
    expectTypeOf(settle([] as AgentEvent[])).toEqualTypeOf<Generator<AgentEvent, void, undefined>>();
    expectTypeOf(createSettler<ParserEvent>().end()).toEqualTypeOf<ParserEvent[]>();
    expectTypeOf(createSettler().end()).toEqualTypeOf<AgentEvent[]>();
  });
});
