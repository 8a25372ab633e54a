import { describe, expect, it } from "vitest";
import { isChunk } from "./wire.ts";

describe("isChunk", () => {
  it.each([
    {},
    { choices: null },
    { choices: [] },
    { choices: [{ index: 0 }] },
    { choices: [{ index: 0, delta: null }] },
    { choices: [{ index: 0, delta: { tool_calls: null } }] },
    { choices: [{ index: 0, delta: { tool_calls: [{ index: 0 }] } }], usage: null },
    { choices: [{ message: { content: "whole" }, finish_reason: "stop" }] },
    { choices: [{ delta: { tool_calls: [{ index: null, id: null, function: { name: null, arguments: null } }] } }] },
  ])("takes %j", (value) => {
    expect(isChunk(value)).toBe(true);
  });

  it.each([
    [null],
    ["text"],
    [1],
    [[{ choices: [] }]],
    [{ choices: {} }],
    [{ choices: [null] }],
    [{ choices: [{ delta: "text" }] }],
    [{ choices: [{ delta: { tool_calls: {} } }] }],
    [{ choices: [{ delta: { tool_calls: [null] } }] }],
    [{ choices: [{ delta: { tool_calls: [{ id: 1 }] } }] }],
    [{ choices: [{ delta: { tool_calls: [{ function: { name: {} } }] } }] }],
    [{ choices: [{ delta: { function_call: "read" } }] }],
    [{ choices: [{ message: [] }] }],
    [{ choices: [{ finish_reason: 1 }] }],
    [{ usage: 1 }],
  ])("refuses %j", (value) => {
    expect(isChunk(value)).toBe(false);
  });
});
