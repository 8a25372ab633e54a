import { describe, expect, it } from "vitest";
import { check, checkText } from "../../test/differential.ts";
import { families, generate } from "../../test/generate.ts";
import { type ReferenceOptions, reference } from "../../test/reference/reference.ts";

// FUZZ_SEED=n begins with input n; what a failure prints as "seed" is such a number.
const first = Number(process.env.FUZZ_SEED ?? 0);
const inputsPerFamily = 8_000;
// About two seconds; `pnpm run fuzz` checks as many inputs as one has time for.
const timeout = 120_000;

describe("the parser", () => {
  for (const [offset, family] of families.entries()) {
    it(
      `reads ${inputsPerFamily.toLocaleString("en")} inputs as the reference does: ${family}`,
      () => {
        const skipped = (offset - (first % families.length) + families.length) % families.length;
        for (let count = 0; count < inputsPerFamily; count++) {
          const difference = check(first + skipped + count * families.length);
          if (difference !== undefined) expect.fail(difference);
        }
      },
      timeout,
    );
  }
});

describe("the parser, with texts that an older version read wrongly,", () => {
  const call = (args: string) => `<execute>[{"name":"w","args":${args}}]</execute>`;
  const xml: ReferenceOptions = { dialect: "xml" };
  const repair: ReferenceOptions = { repair: true };
  const allow: ReferenceOptions = { results: "allow" };

  it.each<[string, ReferenceOptions, string]>([
    ["<execute><t><t>v</t></t></execute>", xml, "an argument named like its tool"],
    ["<execute><t><t>v</t></execute></t></t></execute>", xml, "the block's end in such an argument"],
    ["<execute><execute><execute>v</execute></execute></execute>", xml, "both named like the block"],
    ["<execute><t><execute>v</t></execute></t></execute>", xml, "the block's end in an argument named like the block"],
    ["<execute><t><a>v</a><__proto__>", xml, "an argument after which one comes that is refused"],
    ['<execute>[{"name":"w","args":"x', repair, "encoded arguments, cut, with any content"],
    [call('"{\\"a\\":\\"\ud83d\\\\ude00\\"}"'), repair, "a pair of which one half is escaped once more"],
    [call('{"\\ud800":1,"\\udfff":2}'), {}, "keys that become equal"],
    [call(`{"a":1${"0".repeat(320)}e+`), {}, "a number that lacks a digit, and is too large"],
    [`<execute>[{"name":"w","args":{"a":1${"0".repeat(320)}e+`, {}, "a number, cut, that can only be too large"],
    [call('{"a":1.e5}'), {}, "a number that goes wrong after what could be a shorter one"],
    ["<execute>[]<|", repair, "a token that is cut off"],
    ["<execute>[]<|im_end", repair, "a longer one"],
    [`<execute>${"`".repeat(100)}`, repair, "a fence that is too long"],
    [`<execute>\`\`\`${"i".repeat(100)}`, repair, "a fence with too much behind it"],
    [`<execute>[]<|${"x".repeat(100)}|>`, repair, "a token that is too long"],
    ['<results>[{"tool":"</results>","status":"success","content":1}]</results>', allow, "a closer inside of a string"],
    ['<results>[{"tool":"a","tool":1,"status":"success","content":1}]</results>', allow, "a field twice"],
  ])("reads %j with %j as the reference does: %s", (text, options) => {
    expect(checkText(text, options)).toBeUndefined();
  });

  it("reads escaped keys of results, after any other keys", () => {
    const results = (content: string) => `<results>[{"tool":"a","status":"success","content":${content}}]</results>`;
    for (const content of ['[{"c":1,"\\\\":2},{"c":1,"\\u0061":2}]', '[{"c":1,"\\u0061":2}]']) {
      expect(checkText(results(content), allow)).toBeUndefined();
    }
  });
});

describe("the inputs", () => {
  it("reach every ending in every family", () => {
    const endings = new Set<string>();
    for (let seed = 0; seed < 4_000; seed++) {
      const { text, options } = generate(seed);
      const { events, announced } = reference(text, options);
      const last = events.at(-1);
      const ending = last === undefined ? "nothing" : last.type === "error" ? last.code : last.type;
      endings.add(`${families[seed % families.length]}: ${ending}`);
      if (last?.type === "execute" && announced.length > 1) endings.add(`${options.dialect}: batch`);
      if (last?.type === "execute" && last.repaired) endings.add("repaired");
      if (events.some((event) => event.type === "result")) endings.add("result");
    }
    const everywhere = ["nothing", "respond", "think", "end", "execute", "malformed_execute", "truncated_execute"];
    expect(endings).toEqual(
      new Set([
        ...families.flatMap((family) => [...everywhere, "forged_results"].map((ending) => `${family}: ${ending}`)),
        ...["transcript: result", "json: batch", "xml: batch", "repaired", "result"],
      ]),
    );
  });

  it("are the same for the same seed", () => {
    for (let seed = 0; seed < 100; seed++) expect(generate(seed)).toEqual(generate(seed));
  });
});
