import type { ParserOptions } from "../src/parse/parser.ts";

/** A kind of text that a model may write at any length. */
export interface KindOfText {
  options?: ParserOptions;
  /** What stands once at the beginning. */
  begin?: string;
  /** What is repeated. */
  unit: string | ((index: number) => string);
  /** What stands once at the end. */
  end?: string;
}

const inString = '<execute>[{"name":"w","args":{"a":"';
const stringEnd = '"}}]</execute>';
const inArgs = '<execute>[{"name":"w","args":{';
const argsEnd = '"z":0}}]</execute>';
const inArray = '<execute>[{"name":"w","args":{"a":[';
const arrayEnd = "0]}}]</execute>";
const inValue = "<execute><t><a>";
const valueEnd = "</a></t></execute>";
const repair = { repair: true };
const xml = { dialect: "xml" } as const;
const result = '{"tool":"a","status":"success","content":"< </results"},';

/** Texts in which a parser can be caught at reading something again. */
export const kindsOfText: { [name: string]: KindOfText } = {
  prose: { unit: "Some words, and more of them.\n" },
  "white space": { unit: " ", end: "x" },
  "empty lines": { unit: "\n" },
  "white space behind <execute>": { begin: "<execute>", unit: "\n" },
  "less-than signs": { unit: "<" },
  comparisons: { unit: "a<b " },
  "HTML tags": { unit: "<div>" },
  "closing tags": { unit: "</x " },
  "halves of markers": { unit: "<execut" },
  "markers that open no block": { unit: "<execute> x" },
  "results that are none": { unit: "<results> x" },
  "closers of thinking": { unit: "</think>" },
  "empty thoughts": { unit: "<think></think>" },
  "thoughts and replies": { unit: "<think>a</think>b" },
  "an open thought": { begin: "<think>", unit: "</think " },
  "thinking that began before": { options: { startIn: "think" }, unit: " <" },
  "white space before thinking": { options: { startIn: "think" }, unit: " ", end: "<think>" },
  "one run of backticks": { unit: "`" },
  "spans of code": { unit: "`<end>` a<b " },
  "fences of code": { unit: "```html\n<div>`a`</div>\n```\nx <\n" },
  "an open fence": { begin: "```\n", unit: "<`a\n``\n" },
  "growing runs of backticks": { unit: (index) => `${"`".repeat(index % 500)}<` },
  "halves of surrogate pairs": { unit: "\ud83d<\ude00" },
  "an open block": { begin: inString, unit: "a" },
  "a string": { begin: inString, unit: "text <b ", end: stringEnd },
  "quotes in a string": { begin: inString, unit: '\\"', end: stringEnd },
  "backslashes in a string": { begin: inString, unit: "\\\\", end: stringEnd },
  "escapes in a string": { begin: inString, unit: "\\u0041", end: stringEnd },
  "closers in a string": { begin: inString, unit: "</execute>", end: stringEnd },
  "raw line breaks in a string": { options: repair, begin: inString, unit: "a\n", end: stringEnd },
  "faults in a string": { begin: inString, unit: "\\x", end: stringEnd },
  "call deltas": { options: { callDeltas: true }, begin: inString, unit: "\\n", end: stringEnd },
  "a long number": { begin: inArray, unit: "1", end: `e-9,${arrayEnd}` },
  "a number of zeros": { begin: `${inArray}1.`, unit: "0", end: `,${arrayEnd}` },
  numbers: { begin: inArray, unit: "1.50e3, 0.30000000000000004,", end: arrayEnd },
  strings: { begin: inArray, unit: '"a","\\u0041",', end: arrayEnd },
  objects: { begin: inArray, unit: '{"a":{}} , ', end: arrayEnd },
  "brackets deeper and deeper": { begin: inArray, unit: "[" },
  "nested brackets": { begin: inArray, unit: `${"[".repeat(200)}${"]".repeat(200)},`, end: arrayEnd },
  "trailing commas": { options: repair, begin: inArray, unit: "[1 , ], ", end: arrayEnd },
  "a long key": { begin: `${inArgs}"`, unit: "k", end: `":0,${argsEnd}` },
  keys: { begin: inArgs, unit: (index) => `"k${index}":1,`, end: argsEnd },
  "layout in a block": { begin: inArgs, unit: " \n", end: argsEnd },
  "a fence in a block": { options: repair, begin: "<execute>```\n[]\n```", unit: "`", end: "</execute>" },
  "special tokens": { options: repair, begin: "<execute>[]", unit: "<|im_end|> ", end: "</execute>" },
  "arguments in a string": {
    options: repair,
    begin: '<execute>[{"name":"w","args":"{\\"a\\":\\"',
    unit: "\\\\\\\\",
    end: '\\"}"}]</execute>',
  },
  "a name behind the arguments": {
    begin: '<execute>[{"args":{"a":"',
    unit: "x",
    end: '"},"name":"w"}]</execute>',
  },
  calls: { begin: "<execute>[", unit: '{"name":"w","args":{"a":"b"}},' },
  "a value of the XML dialect": { options: xml, begin: inValue, unit: "a < b", end: valueEnd },
  "tags in a value": { options: xml, begin: inValue, unit: "<b></b>", end: valueEnd },
  "closing tags in a value": { options: xml, begin: inValue, unit: "</a>", end: valueEnd },
  "halves of tags in a value": { options: xml, begin: inValue, unit: "</a></t", end: valueEnd },
  "line breaks in a value": { options: xml, begin: inValue, unit: "\r\n", end: valueEnd },
  "a long tag in a value": { options: xml, begin: `${inValue}<`, unit: "b", end: valueEnd },
  "a long name of a tool": { options: xml, begin: "<execute><", unit: "t" },
  "a long name of an argument": { options: xml, begin: "<execute><t><", unit: "a" },
  "arguments of the XML dialect": {
    options: xml,
    begin: "<execute><t>",
    unit: (index) => `<a${index}> </a${index}>\n`,
    end: "</t></execute>",
  },
  "calls of the XML dialect": { options: { ...xml, callDeltas: true }, begin: "<execute>", unit: "<t><a>b</a></t> " },
  "results of the system": {
    options: { results: "allow" },
    begin: "<results>[",
    unit: result,
    end: '{"tool":"a","status":"success","content":1}]</results>',
  },
};

/** A text of this kind with about so many characters. */
export function textOfKind({ begin = "", unit, end = "" }: KindOfText, length: number): string {
  if (typeof unit === "string") return begin + unit.repeat(Math.ceil(length / unit.length)) + end;
  let text = begin;
  for (let index = 0; text.length < length; index++) text += unit(index);
  return text + end;
}
