import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repairableBlock, texts } from "../../test/arbitraries.ts";
import { calls, events, eventTypes, readSettled } from "../../test/read.ts";
import type { FinishReason } from "../usage.ts";

const repair = { repair: true };
const runs = randomRuns(1000);
const block = (inside: string) => `<execute>${inside}</execute>`;
const ls = '{"name":"ls","args":{}}';

/** A block with a call that has these arguments, and the arguments in the content of the call event. */
const withArgs = (args: string) => block(`[{"name":"w","args":${args}}]`);
const content = (args: string) => `{"name":"w","args":${args}}`;

/** For each repair, texts that need only this one, and the calls that they mean. */
const repairs: { [repair: string]: [text: string, ...calls: string[]][] } = {
  "raw control characters inside strings": [
    [withArgs('{"a":"x\n\r\t\u0000\u001fy"}'), content('{"a":"x\\n\\r\\t\\u0000\\u001fy"}')],
    [withArgs('{"a\nb":"\\\\\n"}'), content('{"a\\nb":"\\\\\\n"}')],
    [block('[{"name":"a\tb","args":{}}]'), '{"name":"a\\tb","args":{}}'],
    [block('[{"name":"w","note":"\n","args":{}}]'), content("{}")],
  ],
  "trailing commas": [
    [withArgs('{"a":[1,{"b":2,} , ] ,}'), content('{"a":[1,{"b":2}]}')],
    [block(`[${ls},\n]`), ls],
    [block('[{"name":"ls","args":{},}]'), ls],
    [withArgs('{"a":"],}",}'), content('{"a":"],}"}')],
  ],
  "one code fence around the array": [
    [block(`\`\`\`\n[${ls}]\n\`\`\``), ls],
    [block(`\n \`\`\`json\r\n[${ls}]\`\`\` \n`), ls],
    [block(`\`\`\`\`js on [{"\r[${ls}]\n\`\`\`\`\``), ls],
    [block(`${"`".repeat(99)}${"x".repeat(99)}\n[]${"`".repeat(200)}`)],
  ],
  "a single object in place of the array": [
    [block(ls), ls],
    [block(`\n${ls} \n`), ls],
  ],
  "trailing tokens": [
    [block(`[${ls}]<|im_end|>`), ls],
    [block(`[${ls}] <|a|>\n<|/b|><|\`[é🚀\u00a0|> `), ls],
    [block(`[]<|${"x".repeat(99)}|>`)],
  ],
  "args as a string that holds an object": [
    [withArgs('"{}"'), content("{}")],
    [withArgs('" {\\"a\\" : [1.0, -0, {\\"b\\":\\"\\\\u003c\\"}]}\\n"'), content('{"a":[1.0,-0,{"b":"<"}]}')],
    [block('[{"args":"{\\"a\\":1}","name":"w"}]'), content('{"a":1}')],
    [withArgs('"\\u007b\\u0022a\\u0022:\\"{}\\"}"'), content('{"a":"{}"}')],
  ],
};

/** Every repair at once, those of the inside also inside of the encoded arguments. */
const composed: [string, ...string[]][] = [
  [
    block('```json\n{"name":"w","args":"{\\"a\\":\\"x\n\\t\\",\\"b\\":[1,],}",}\n```<|im_end|> <|x|>'),
    content('{"a":"x\\n\\t","b":[1]}'),
  ],
  [
    block('````\n[{"name":"a\n","args":"{\\"b\\":2 , }"},{"name":"w","args":{"c":[{},],},},]\n````\n<|end|>'),
    '{"name":"a\\n","args":{"b":2}}',
    content('{"c":[{}]}'),
  ],
];

describe("repair", () => {
  const all = Object.entries({ ...repairs, "all of them": composed }).flatMap(([name, cases]) =>
    cases.map(([text, ...contents]) => ({ name, text, contents })),
  );

  it.each(all)("reads $name, and says so: $text", ({ text, contents }) => {
    const expected = [...contents.map((content) => ({ type: "call", content })), { type: "execute", repaired: true }];
    expect(events(text, repair)).toEqual(expected);
    expect(readSettled(text.split(""), repair)).toEqual(readSettled([text], repair));
  });

  it.each(all)("is off by default: $text", ({ text }) => {
    expect(eventTypes(text)).toEqual(["malformed_execute"]);
  });

  it("says nothing, and changes nothing, where none is needed", () => {
    fc.assert(
      fc.property(texts.json.block, (text) => {
        expect(events(text, repair)).toEqual(events(text));
        expect(events(text, repair).at(-1)).toEqual({ type: "execute" });
      }),
      runs,
    );
  });

  it("never gives a call that JSON cannot read", () => {
    fc.assert(
      fc.property(repairableBlock, (text) => {
        expect(eventTypes(text, repair).at(-1)).toBe("execute");
        for (const each of calls(text, repair)) expect(JSON.parse(each)).toMatchObject({ args: {} });
      }),
      runs,
    );
  });

  it.each([
    ["[,]", "a comma after nothing, in the array"],
    [`[,${ls}]`, "a leading comma"],
    [`[${ls},,]`, "two commas"],
    [`${ls},`, "a comma after a single object"],
    ["[]]", "a second bracket"],
    ['[{"name":"ls","args":{}]', "a missing brace"],
    [`${ls}${ls}`, "concatenated objects"],
    [`[${ls} ${ls}]`, "a missing comma"],
    [`[${ls}]\n[${ls}]`, "two arrays"],
    ['[{"name":"ls"}]', "missing arguments"],
    ['[{"args":{}}]', "a missing name"],
    ["[{'name':'ls','args':{}}]", "single quotes"],
    ["[{name:1}]", "keys without quotes"],
    [`[// ls\n${ls}]`, "comments"],
    [`[${ls}] Done.`, "prose"],
    [`\`\`\`\n[${ls}]`, "a fence that is left open"],
    [`\`\`\`\n[${ls}]\n\`\``, "a fence with a shorter end"],
    [`[${ls}]\n\`\`\``, "the end of a fence only"],
    [`\`\`[${ls}]\`\``, "two backticks"],
    [`\`\`\n[${ls}]\n\`\``, "two backticks on lines of their own"],
    [`\`\`\`json [${ls}]\`\`\``, "a fence on one line"],
    [`\`\`\`a\`b\n[${ls}]\n\`\`\``, "a backtick behind a fence"],
    [`\`\`\`\n\`\`\`\n[${ls}]\n\`\`\`\n\`\`\``, "two fences"],
    [`\`\`\`\n[${ls}]\n\`\`\` \`\`\``, "two ends of a fence"],
    [`\`\`\`\n[${ls}]<|x|>\n\`\`\``, "a token before the end of the fence"],
    [`${"`".repeat(100)}\n[]${"`".repeat(100)}`, "a fence of a hundred backticks"],
    [`\`\`\`${"x".repeat(100)}\n[]\`\`\``, "a hundred characters behind a fence"],
    ["```\n<|x|>[]\n```", "a token before the array"],
    [`[${ls}<|x|>]`, "a token inside of it"],
    ["[]<||>", "a token without a name"],
    ["[]<|a b|>", "white space in a token"],
    ["[]<|a\t|>", "a tab in a token"],
    ["[]<|a\n|>", "a line feed in a token"],
    ["[]<|a\r|>", "a carriage return in a token"],
    ["[]<|a|x", "half a token's end"],
    ["[]<|a>", "half a token"],
    ["[]<|a||>", "one bar too many"],
    ["[]</|a|></execute>", "a token inside of the closer"],
    ['[{"name":"w","args":{"a":t|a|></execute>}}]', "a token inside of a literal"],
    [`[]<|${"x".repeat(100)}|>`, "a token of a hundred characters"],
    ['[{"name":"w","args":{,}}]', "a comma after nothing, in an object"],
    ['[{"name":"w","args":{"a":1,,}}]', "two commas in an object"],
    ['[{"name":"w","args":{"a":[,]}}]', "a comma after nothing, in an array"],
    ['[{"name":"w","args":{"a":"x\\\ny"}}]', "a backslash before a raw line break"],
    ['[{"name":"w","args":{"a":"\\x"}}]', "a bad escape"],
    ['[{"name":"w","args":{"a":True}}]', "literals of other languages"],
    ['[{"name":"w","args":{"a":1,"a":2,}}]', "a key that is given twice"],
    ['[{"name":"w","args":{"a\n":1,"a\\n":2}}]', "a key that is the same once repaired"],
    ['[{"name":"w","args":{"a\n":1,"\\u0061\n":2}}]', "a key that is the same once repaired and unescaped"],
    ['[{"name":"w","args":null}]', "no arguments"],
    ['[{"name":"w","args":""}]', "an empty string of arguments"],
    ['[{"name":"w","args":"[]"}]', "an array in the string"],
    ['[{"name":"w","args":"null"}]', "null in the string"],
    ['[{"name":"w","args":"{} x"}]', "something after the object in the string"],
    ['[{"name":"w","args":"{}{}"}]', "two objects in the string"],
    ['[{"name":"w","args":"{},"}]', "a comma after the object in the string"],
    ['[{"name":"w","args":"{\\"a\\":1"}]', "an object that is cut off in the string"],
    ['[{"name":"w","args":"{\\"a\\":{}"}]', "an object that is cut off after an object"],
    ['[{"name":"w","args":"\\"{}\\""}]', "a string in the string"],
    ['[{"name":"w","args":"{}},{"}]', "what would end the call in the string"],
    ['[{"name":"w","args":"{}},{\\"name\\":\\"x\\",\\"args\\":{}"}]', "another call in the string"],
    ['[{"name":"w","args":"{},\\"name\\":\\"x\\""}]', "another name in the string"],
    ['[{"name":"w","args":"{},\\"args\\":{}"}]', "other arguments in the string"],
    ['[{"name":"w","args":"{}</execute>"}]', "the block's end in the string"],
    ['[{"name":"w","args":"```\\n{}\\n```"}]', "a fence in the string"],
    ['[{"name":"w","args":"{\\"a\\":1,\\"a\\":2}"}]', "a key that is given twice in the string"],
    ['[{"name":"w","args":"{\\"__proto__\\":1}"}]', "__proto__ in the string"],
    ['[{"name":"w","args":"{\\"a\\":9007199254740992}"}]', "an unsafe integer in the string"],
    ['[{"name":"w","args":"{\\"a\\":1e999}"}]', "an overflow in the string"],
    [`[{"name":"w","args":"{\\"a\\":${"[".repeat(254)}${"]".repeat(254)}}"}]`, "depth 257 in the string"],
    ['[{"name":"w","args":"{\\"a\\":\\"\\\\x\\"}"}]', "a bad escape in the string"],
    ['[{"name":"w","args":"{\\"a\\":\\"x\\\\\ny\\"}"}]', "a backslash before a raw line break in the string"],
    ['[{"name":"{}","args":7}]', "a number as arguments"],
    ['[{"name":{"a":1},"args":"{}"}]', "an object as the name"],
  ])("does not read %.70s: %s", (inside) => {
    expect(eventTypes(block(inside), repair)).toEqual(["malformed_execute"]);
  });

  it("P15 counts the depth of encoded arguments as if they stood there", () => {
    const deep = `{\\"a\\":${"[".repeat(253)}${"]".repeat(253)}}`;
    expect(eventTypes(withArgs(`"${deep}"`), repair)).toEqual(["call", "execute"]);
  });

  it("does not take the arguments of another call, or of none", () => {
    const text = block('[{"name":"a","args":"{\\"x\\":1}"},{"name":"b","args":{"y":2}},{"name":"c","args":"{}"}]');
    expect(calls(text, repair)).toEqual([
      '{"name":"a","args":{"x":1}}',
      '{"name":"b","args":{"y":2}}',
      '{"name":"c","args":{}}',
    ]);
  });

  it.each<[string, FinishReason, string[]]>([
    [`<execute>[${ls}]<|im_end|>`, "stop", ["call", "execute"]],
    [`<execute>[${ls}]<|im_end|> </exe`, "stop", ["call", "execute"]],
    [`<execute>[${ls}]<|im_end|>`, "length", ["truncated_execute"]],
    [`<execute>[${ls}]<`, "stop", ["call", "execute"]],
    [`<execute>[${ls}]<|`, "stop", ["truncated_execute"]],
    [`<execute>[${ls}]<|im_en`, "stop", ["truncated_execute"]],
    [`<execute>[${ls}]<|im_end|`, "stop", ["truncated_execute"]],
    [`<execute>${ls}`, "stop", ["call", "execute"]],
    [`<execute>[${ls},`, "stop", ["truncated_execute"]],
    [`<execute>\`\`\`\n[${ls}]\n\`\`\``, "stop", ["call", "execute"]],
    [`<execute>\`\`\`\n[${ls}]\n\`\`\`\`\n<|x|><`, "stop", ["call", "execute"]],
    [`<execute>\`\`\`\n[${ls}]\n\`\``, "stop", ["truncated_execute"]],
    [`<execute>\`\`\`\n[${ls}]\n`, "stop", ["truncated_execute"]],
    [`<execute>\`\`\`\n[${ls}]\n<`, "stop", ["malformed_execute"]],
    ["<execute>``", "stop", ["truncated_execute"]],
    ["<execute>```js", "stop", ["truncated_execute"]],
    ["<execute>``js", "stop", ["malformed_execute"]],
    ['<execute>[{"name":"w","args":"{\\"a\\":', "length", ["truncated_execute"]],
    ['<execute>[{"name":"w","args":"what it holds matters when it is whole', "length", ["truncated_execute"]],
    ['<execute>[{"name":"w","args":"\\x', "length", ["malformed_execute"]],
    ['<execute>[{"name":"w","args":"x"', "length", ["malformed_execute"]],
    ['<execute>[{"name":"w","args":{"a":"\n', "length", ["truncated_execute"]],
  ])("P14 reads %j, cut there (%s), as %j", (text, finish, expected) => {
    expect(eventTypes(text, repair, finish)).toEqual(expected);
  });

  it("P14 needs no closer where nothing else is missing", () => {
    fc.assert(
      fc.property(repairableBlock, fc.nat({ max: "</execute>".length }), (text, missing) => {
        expect(events(text.slice(0, text.length - missing), repair)).toEqual(events(text, repair));
      }),
      runs,
    );
  });

  it("P4 says where encoded arguments are wrong, and why", () => {
    expect(events(withArgs('"[]"'), repair)).toMatchObject([
      { position: 32, content: expect.stringMatching(/"args" holds no object/) },
    ]);
  });
});
