import { event, file, header, record } from "./export-lines.ts";

/** Files that are not valid exports. Each must be refused, or stored so that it can be read again. */
export type Export = [name: string, text: string];

export const exports: readonly Export[] = [
  ...[
    "toString",
    "valueOf",
    "hasOwnProperty",
    "isPrototypeOf",
    "__defineGetter__",
    "__lookupSetter__",
    "propertyIsEnumerable",
    "toLocaleString",
    "prototype",
    "",
  ].map((kind): [string, string] => [`a record of the kind "${kind}"`, file(header(), record(kind))]),
  ...["constructor", "__proto__", "toString", "hasOwnProperty", "", "Record"].map((type): [string, string] => [
    `an event of the type "${type}"`,
    file(header(), event({ type })),
  ]),
  ...["approval", "origin", "content", "started", "finished", "summary", "native", "usage", "rejected"].flatMap(
    (kind) =>
      [null, [], "x", 5, {}, { id: null }, { proof: null }, { result: "x" }].map((data): [string, string] => [
        `a record of the kind "${kind}" with ${JSON.stringify(data)}`,
        file(header(), record(kind, data)),
      ]),
  ),
  ["a conversation named __proto__", file(header({ conversation: "__proto__" }), event({}))],
  ["a conversation named constructor", file(header({ conversation: "constructor" }), event({}))],
  ["a user named __proto__", file(header({ user: "__proto__" }), event({}))],
  ["an empty name", file(header({ conversation: "" }), event({}))],
  ["a name that is no text", file(header({ conversation: 5 }), event({}))],
  ["a name that is a list", file(header({ conversation: ["c"] }), event({}))],
  ["a name with a zero byte", file(header({ conversation: "c\u0000d" }), event({}))],
  ["a name of half a character", file(header({ conversation: "\ud800" }), event({}))],
  ["a name of a million characters", file(header({ conversation: "c".repeat(1_000_000) }), event({}))],
  ["no events", file(header({ events: 0 }))],
  ["less than no events", file(header({ events: -1 }))],
  ["half an event", file(header({ events: 0.5 }), event({}))],
  ["1e999 events", file('{"type":"conversation","version":1,"conversation":"c","events":1e999}', event({}))],
  ["a version of another kind", file(header({ version: "1" }), event({}))],
  ["a version to come", file(header({ version: 99 }), event({}))],
  ["an event first", file(event({}), header())],
  ["a header in a header", file(header({ events: 2 }), header(), event({}))],
  ["the header twice", file(header(), event({}), header(), event({}))],
  ["a number that is not the next", file(header(), event({ seq: 2 }))],
  ["a number beyond all", file(header(), event({ seq: 2 ** 60 }))],
  ["a time that is none", file(header(), event({ timestamp: "now" }))],
  ["a time beyond all", file(header(), '{"type":"user","content":"x","timestamp":1e999,"seq":1}')],
  ["a content that is an object", file(header(), event({ content: { toString: "x" } }))],
  ["a content that is missing", file(header(), event({ content: undefined }))],
  ["an origin that there is not", file(header(), event({ origin: "system" }))],
  ["a result that is no JSON", file(header(), event({ type: "result", content: "x", payload: {} }))],
  ["a call that is no JSON", file(header(), event({ type: "call", content: "x", id: "a" }))],
  [
    "a call with an id that is an object",
    file(header(), event({ type: "call", content: '{"name":"a","args":{}}', id: {} })),
  ],
  [
    "nested 100,000 deep",
    file(
      header(),
      `{"type":"user","content":"x","timestamp":1,"seq":1,"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    ),
  ],
  [
    "nested 3,000 deep in a record",
    file(
      header(),
      `{"type":"record","kind":"summary","timestamp":1,"seq":1,"data":${"[".repeat(3000)}${"]".repeat(3000)}}`,
    ),
  ],
  [
    "a prototype in an event",
    file(header(), '{"type":"user","content":"x","timestamp":1,"seq":1,"__proto__":{"type":"call"}}'),
  ],
  ["a byte order mark", `\ufeff${file(header(), event({}))}`],
  ["line ends of Windows", file(header(), event({})).replaceAll("\n", "\r\n")],
  ["zero bytes", "\u0000".repeat(5000)],
  ["an empty file", ""],
  ["only line feeds", "\n".repeat(5000)],
  ["null", "null\nnull\n"],
  ["lists", "[]\n[]\n"],
  ["texts", '"conversation"\n'],
  ["a line of 30 million characters", file(header(), event({ content: "x".repeat(30_000_000) }))],
];
