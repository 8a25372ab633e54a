import type { JsonObject } from "@cogency/protocol";
import { structuralTag, turnGrammar } from "@cogency/protocol/grammar";
import { beforeAll, describe, expect, it } from "vitest";
import { mutated } from "../../../../packages/protocol/test/gbnf/mutated.ts";
import { readGbnf } from "../../../../packages/protocol/test/gbnf/read-gbnf.ts";
import { Recognizer } from "../../../../packages/protocol/test/gbnf/recognize.ts";
import { Random } from "../../../../packages/protocol/test/generate/random.ts";
import { dialects, generatedTools, Law, toolboxTools } from "./law.ts";
import { ByteModel } from "./xgrammar.ts";

let model: ByteModel;
beforeAll(async () => {
  model = await ByteModel.open();
});

/** The grammar of a block in a structural tag. */
function blockOf(tag: JsonObject): Recognizer {
  const { format } = tag as unknown as { format: { tags: { content: { grammar: string } }[] } };
  return new Recognizer(readGbnf(format.tags[0]?.content.grammar ?? ""));
}

const open = "<execute>";
const close = "</execute>";

// A second opinion, of which no line is ours.
describe.each(dialects)("xgrammar, with which vLLM and SGLang bind a model, in the %s dialect", (dialect) => {
  it("reads the grammar of a turn as we do: it takes each derived answer, and of mutations those that we recognize", async () => {
    const language = { tools: toolboxTools, dialect };
    const law = new Law(language);
    const accepts = await model.boundByGrammar(turnGrammar(language));
    const random = new Random(43);
    for (let nth = 0; nth < 2000; nth++) {
      const text = law.deriver.derive(random);
      expect.soft(accepts(text), JSON.stringify(text)).toBe(true);
      const other = mutated(text, random);
      expect.soft(accepts(other), JSON.stringify(other)).toBe(law.recognizer.accepts(other));
    }
  });

  it("takes with the structural tag each derived answer, and after <execute> nothing but a block of its grammar", async () => {
    const all = [toolboxTools, ...Array.from({ length: 150 }, (_, seed) => generatedTools(seed, dialect))];
    let [blocks, refused] = [0, 0];
    for (const [seed, tools] of all.entries()) {
      const law = new Law({ tools, dialect });
      const tag = structuralTag({ tools, dialect });
      // No tool of these can be called.
      if (!tag) continue;
      const accepts = await model.boundByTag(tag);
      const block = blockOf(tag);
      const random = new Random(seed);
      for (let nth = 0; nth < 30; nth++) {
        const text = law.deriver.derive(random);
        expect.soft(accepts(text), JSON.stringify(text)).toBe(true);
        const other = mutated(text.slice(Math.max(text.indexOf(open), 0)), random);
        if (!other.startsWith(open)) continue;
        const isBlock = other.endsWith(close) && block.accepts(other.slice(open.length, -close.length));
        expect.soft(accepts(other), JSON.stringify(other)).toBe(isBlock);
        blocks++;
        if (!isBlock) refused++;
      }
    }
    expect(blocks).toBeGreaterThan(1000);
    expect(refused).toBeGreaterThan(500);
  });

  it("is bound by characters beyond ASCII, although it misreads classes of them", async () => {
    const parameters = { type: "object", properties: { a: { pattern: "^.é[а-я]$", type: "string" } }, required: ["a"] };
    const tag = structuralTag({ tools: [{ name: "t", description: "", parameters }], dialect });
    const accepts = await model.boundByTag(tag ?? {});
    const block = (a: string) =>
      dialect === "json" ? `${open}[{"name":"t","args":{"a":"${a}"}}]${close}` : `${open}<t><a>${a}</a></t>${close}`;
    expect(["xéя", "яéя", "漢éя"].map((a) => accepts(block(a)))).toEqual([true, true, true]);
    expect(["xeя", "xéz", "é", "xéяя"].map((a) => accepts(block(a)))).toEqual([false, false, false, false]);
  });
});
