import type { WireCall } from "../../src/chat/wire.ts";

/** A whole call. */
export interface Call {
  id: string;
  name: string;
  arguments: string;
}

/** How servers send the pieces of calls, and the calls that they mean. */
export const callFixtures: { name: string; pieces: WireCall[]; calls: Call[] }[] = [
  {
    name: "pieces as the wire documents them",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: "" }),
      piece({ index: 0, arguments: '{"file"' }),
      piece({ index: 0, arguments: ':"x"}' }),
      piece({ index: 1, id: "b", name: "list", arguments: "{}" }),
    ],
    calls: [call("a", "read", '{"file":"x"}'), call("b", "list", "{}")],
  },
  {
    name: "two calls in turns",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: "" }),
      piece({ index: 1, id: "b", name: "read", arguments: "" }),
      piece({ index: 0, arguments: '{"file":' }),
      piece({ index: 1, arguments: '{"file":' }),
      piece({ index: 1, arguments: '"y"}' }),
      piece({ index: 0, arguments: '"x"}' }),
    ],
    calls: [call("a", "read", '{"file":"x"}'), call("b", "read", '{"file":"y"}')],
  },
  {
    name: "no id",
    pieces: [
      piece({ index: 0, name: "read", arguments: '{"file":' }),
      piece({ index: 0, arguments: '"x"}' }),
      piece({ index: 1, name: "list", arguments: "{}" }),
    ],
    calls: [call("call_0", "read", '{"file":"x"}'), call("call_1", "list", "{}")],
  },
  {
    name: "no index",
    pieces: [
      piece({ id: "a", name: "read", arguments: '{"file":' }),
      piece({ arguments: '"x"}' }),
      piece({ id: "b", name: "read", arguments: '{"file":' }),
      piece({ id: "b", arguments: '"y"}' }),
    ],
    calls: [call("a", "read", '{"file":"x"}'), call("b", "read", '{"file":"y"}')],
  },
  {
    name: "neither id nor index",
    pieces: [
      piece({ name: "read", arguments: '{"file":"x"}' }),
      piece({ name: "read", arguments: '{"file":' }),
      piece({ arguments: '"y"}' }),
      piece({ name: "list" }),
    ],
    calls: [
      call("call_0", "read", '{"file":"x"}'),
      call("call_1", "read", '{"file":"y"}'),
      call("call_2", "list", "{}"),
    ],
  },
  {
    name: "the same index with a new id",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: '{"file":"x"}' }),
      piece({ index: 0, id: "b", name: "read", arguments: '{"file":"y"}' }),
      piece({ index: 0, id: "c", name: "list", arguments: "" }),
      piece({ index: 0, id: "d", name: "list", arguments: "" }),
    ],
    calls: [
      call("a", "read", '{"file":"x"}'),
      call("b", "read", '{"file":"y"}'),
      call("c", "list", "{}"),
      call("d", "list", "{}"),
    ],
  },
  {
    name: "whole calls at one index, without ids",
    pieces: [
      piece({ index: 0, name: "read", arguments: '{"file":"x"}' }),
      piece({ index: 0, name: "read", arguments: '{"file":"y"}' }),
    ],
    calls: [call("call_0", "read", '{"file":"x"}'), call("call_1", "read", '{"file":"y"}')],
  },
  {
    name: "whole calls with one id at one index",
    pieces: [
      piece({ index: 0, id: "same", name: "read", arguments: '{"file":"x"}' }),
      piece({ index: 0, id: "same", name: "read", arguments: '{"file":"y"}' }),
      piece({ index: 0, id: "same", name: "list", arguments: "{}" }),
    ],
    calls: [call("same", "read", '{"file":"x"}'), call("call_1", "read", '{"file":"y"}'), call("call_2", "list", "{}")],
  },
  {
    name: "a last piece that repeats everything but the arguments",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: '{"file":"x"}' }),
      piece({ index: 0, id: "a", name: "read", arguments: "" }),
      piece({ index: 0, id: "a", name: "read" }),
    ],
    calls: [call("a", "read", '{"file":"x"}')],
  },
  {
    name: "a new id with every piece of a call",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: '{"file":' }),
      piece({ index: 0, id: "b", name: "read", arguments: '"x"' }),
      piece({ index: 0, id: "c", arguments: "}" }),
    ],
    calls: [call("a", "read", '{"file":"x"}')],
  },
  {
    name: "the name after the arguments",
    pieces: [
      piece({ index: 0, id: "a", arguments: '{"file":' }),
      piece({ index: 0, arguments: '"x"}' }),
      piece({ index: 0, name: "read" }),
    ],
    calls: [call("a", "read", '{"file":"x"}')],
  },
  {
    name: "an empty id and an empty name later",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: '{"file":' }),
      piece({ index: 0, id: "", name: "", arguments: '"x"}' }),
    ],
    calls: [call("a", "read", '{"file":"x"}')],
  },
  {
    name: "id and name with every piece",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: "" }),
      piece({ index: 0, id: "a", name: "read", arguments: '{"file":' }),
      piece({ index: 0, id: "a", name: "read", arguments: '"x"}' }),
    ],
    calls: [call("a", "read", '{"file":"x"}')],
  },
  {
    name: "the name with every piece, without an id",
    pieces: [
      piece({ index: 0, name: "read", arguments: "" }),
      piece({ index: 0, name: "read", arguments: '{"file":' }),
      piece({ index: 0, name: "read", arguments: '"x"}' }),
    ],
    calls: [call("call_0", "read", '{"file":"x"}')],
  },
  {
    name: "arguments that are sent from their beginning with every piece",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: '{"' }),
      piece({ index: 0, arguments: '{"file' }),
      piece({ index: 0, arguments: '{"file' }),
      piece({ index: 0, arguments: '{"file":"x' }),
      piece({ index: 0, arguments: '{"file":"x"}' }),
    ],
    calls: [call("a", "read", '{"file":"x"}')],
  },
  {
    name: "pieces, and the whole once more at the end",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: '{"file' }),
      piece({ index: 0, arguments: '":"x"}' }),
      piece({ index: 0, id: "a", name: "read", arguments: '{"file":"x"}' }),
    ],
    calls: [call("a", "read", '{"file":"x"}')],
  },
  {
    name: "the whole twice, without an id",
    pieces: [
      piece({ index: 0, name: "read", arguments: '{"file":"x"}' }),
      piece({ index: 0, name: "read", arguments: '{"file":"x"}' }),
    ],
    calls: [call("call_0", "read", '{"file":"x"}')],
  },
  {
    name: "a piece that begins as the arguments did, but lies inside of them",
    pieces: [
      piece({ index: 0, id: "a", name: "tree", arguments: '{"in":' }),
      piece({ index: 0, arguments: '{"in":' }),
      piece({ index: 0, arguments: '{"in":1}' }),
      piece({ index: 0, arguments: "}}" }),
    ],
    calls: [call("a", "tree", '{"in":{"in":{"in":1}}}')],
  },
  {
    name: "whole calls, each in one piece",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: '{"file":"x"}' }),
      piece({ index: 1, id: "b", name: "read", arguments: '{"file":"y"}' }),
    ],
    calls: [call("a", "read", '{"file":"x"}'), call("b", "read", '{"file":"y"}')],
  },
  {
    name: "one id for two calls at two indexes",
    pieces: [
      piece({ index: 0, id: "same", name: "read", arguments: "" }),
      piece({ index: 1, id: "same", name: "read", arguments: "" }),
      piece({ index: 0, arguments: '{"file":"x"}' }),
      piece({ index: 1, arguments: '{"file":"y"}' }),
    ],
    calls: [call("same", "read", '{"file":"x"}'), call("call_1", "read", '{"file":"y"}')],
  },
  {
    name: "an index that is counted up with every piece of a call",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: '{"file":' }),
      piece({ index: 1, id: "a", arguments: '"x"' }),
      piece({ index: 2, id: "a", name: "read", arguments: "}" }),
    ],
    calls: [call("a", "read", '{"file":"x"}')],
  },
  {
    name: "a call whose rest comes under another index",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: '{"file":"x"}' }),
      piece({ index: 0, id: "b", name: "read", arguments: "" }),
      piece({ index: 1, arguments: '{"file":' }),
      piece({ index: 1, arguments: '"y"}' }),
    ],
    calls: [call("a", "read", '{"file":"x"}'), call("b", "read", '{"file":"y"}')],
  },
  {
    name: "an index only at the beginning, then only the id",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: "" }),
      piece({ index: 1, id: "b", name: "read", arguments: "" }),
      piece({ id: "a", arguments: '{"file":"x"}' }),
      piece({ id: "b", arguments: '{"file":"y"}' }),
    ],
    calls: [call("a", "read", '{"file":"x"}'), call("b", "read", '{"file":"y"}')],
  },
  {
    name: "indexes that do not begin with 0",
    pieces: [piece({ index: 7, id: "a", name: "read", arguments: '{"file":' }), piece({ arguments: '"x"}' })],
    calls: [call("a", "read", '{"file":"x"}')],
  },
  {
    name: "null for everything that is missing",
    pieces: [
      { index: 0, id: "a", function: { name: "list", arguments: null } },
      { index: 0, id: null, function: { name: null, arguments: "{}" } },
      { index: 0, id: null, function: null },
    ],
    calls: [call("a", "list", "{}")],
  },
  {
    name: "arguments as an object",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: { file: "x" } }),
      piece({ index: 0, id: "a", name: "read", arguments: { file: "x" } }),
      piece({ index: 0, id: "b", name: "read", arguments: { file: "y" } }),
    ],
    calls: [call("a", "read", '{"file":"x"}'), call("b", "read", '{"file":"y"}')],
  },
  {
    name: "an empty object, and then the text",
    pieces: [
      piece({ index: 0, id: "a", name: "read", arguments: {} }),
      piece({ index: 0, id: "a", name: "read", arguments: '{"file":' }),
      piece({ index: 0, arguments: '"x"}' }),
    ],
    calls: [call("a", "read", '{"file":"x"}')],
  },
  {
    name: "ids that requests cannot hold as ids of our own",
    pieces: [
      piece({ index: 0, id: "call_1", name: "list" }),
      piece({ index: 1, id: "a.b:c", name: "list" }),
      piece({ index: 2, id: "x".repeat(41), name: "list" }),
    ],
    calls: [call("call_1", "list", "{}"), call("call_2", "list", "{}"), call("call_3", "list", "{}")],
  },
];

export function piece({
  index,
  id,
  ...called
}: {
  index?: number;
  id?: string;
  name?: string;
  arguments?: unknown;
}): WireCall {
  return { ...(index !== undefined && { index }), ...(id !== undefined && { id }), function: called };
}

export function call(id: string, name: string, text: string): Call {
  return { id, name, arguments: text };
}
