import { describe, expect, it } from "vitest";
import { mutated } from "../../../../packages/protocol/test/gbnf/mutated.ts";
import { Random } from "../../../../packages/protocol/test/generate/random.ts";
import { dialects, generatedTools, Law, toolboxTools } from "./law.ts";
import { writtenPlainly } from "./written-plainly.ts";

/** How many answers are derived in each dialect: of the toolbox, of each generated language, and to be mutated. */
export interface Runs {
  readonly toolbox: number;
  readonly languages: number;
  readonly each: number;
  readonly mutations: number;
}

/** Tests the grammar of a turn against the parser and the check of arguments. */
export function grammarLaws(runs: Runs): void {
  describe.each(dialects)("the grammar of a turn in the %s dialect", (dialect) => {
    it("derives only answers that read without an error, whose calls fit the schemas of the toolbox", () => {
      for (const startIn of ["text", "think"] as const) {
        const law = new Law({ tools: toolboxTools, dialect, startIn });
        const random = new Random(43);
        for (let i = 0; i < runs.toolbox / 2; i++) {
          const text = law.deriver.derive(random);
          expect.soft(law.faultOf(text), JSON.stringify(text)).toBeUndefined();
        }
      }
    });

    it("derives only answers whose calls fit generated schemas", () => {
      let calls = 0;
      for (let seed = 0; seed < runs.languages; seed++) {
        const tools = generatedTools(seed, dialect);
        const law = new Law({ tools, dialect });
        const random = new Random(seed);
        for (let i = 0; i < runs.each; i++) {
          const text = law.deriver.derive(random);
          calls += law.read(text).calls.length;
          expect.soft(law.faultOf(text), `${JSON.stringify(text)} of ${JSON.stringify(tools)}`).toBeUndefined();
        }
      }
      expect(calls).toBeGreaterThan(runs.languages * runs.each * 0.5);
    });

    it("derives texts that it recognizes, and no mutation leaves the language whose calls could not be written in it", () => {
      const law = new Law({ tools: toolboxTools, dialect });
      const random = new Random(7);
      let [left, refused] = [0, 0];
      for (let i = 0; i < runs.mutations; i++) {
        const text = law.deriver.derive(random);
        expect.soft(law.recognizer.accepts(text), JSON.stringify(text)).toBe(true);
        const other = mutated(text, random);
        if (!other.endsWith("</execute>") || law.recognizer.accepts(other)) continue;
        left++;
        const { calls, fault } = law.read(other);
        if (fault !== undefined || law.faultOf(other) !== undefined) refused++;
        else if (law.canWrite(calls)) {
          const plain = writtenPlainly(calls, toolboxTools, dialect);
          expect.soft(law.recognizer.accepts(plain), `${plain} from ${JSON.stringify(other)}`).toBe(true);
        }
      }
      expect(left).toBeGreaterThan(runs.mutations / 10);
      expect(refused).toBeGreaterThan(left / 4);
    });
  });
}
