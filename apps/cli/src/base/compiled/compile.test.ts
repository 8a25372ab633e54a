import { Module } from "node:module";
import { Script } from "node:vm";
import { expect, it } from "vitest";
import { compile } from "./compile.ts";

/** A file that V8 has not compiled yet in this process: it would not look at what is kept of another one. */
const textOf = (test: number) => `exports.answer = () => [${test}, 6 * 7];`;

function answerOf(compiled: ReturnType<typeof compile>): unknown {
  const exports: { answer?: () => unknown } = {};
  compiled?.run(exports, require, module, "file.cjs", ".");
  return exports.answer?.();
}

it("takes the kept code of the same text", () => {
  const [one, other] = [textOf(10), textOf(11)];
  const first = compile(one, "file.cjs");
  expect([answerOf(first), first?.uses]).toEqual([[10, 42], 0]);
  // V8 takes it for any text of this length, which is why what is kept says of which text it is.
  const second = compile(other, "file.cjs", { code: first?.script.createCachedData() ?? Buffer.alloc(0), uses: 3 });
  expect([answerOf(second), second?.uses]).toEqual([[10, 42], 3]);
});

it("compiles the text if V8 refuses what is kept, and runs nothing if it takes what gives no function", () => {
  for (const [at, code] of [Buffer.alloc(0), Buffer.alloc(500, 1)].entries()) {
    const compiled = compile(textOf(20 + at), "file.cjs", { code, uses: 3 });
    expect([answerOf(compiled), compiled?.uses]).toEqual([[20 + at, 42], 0]);
  }
  const { length } = Module.wrap(textOf(30));
  for (const [at, forged] of ['"a string"', 'throw new Error("forged")'].entries()) {
    const code = new Script(forged.padEnd(length)).createCachedData();
    expect(compile(textOf(30 + at), "file.cjs", { code, uses: 3 })).toBeUndefined();
  }
});
