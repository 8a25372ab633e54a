import { describe, expect, it } from "vitest";
import { type ParserVector, parserVectors, type VectorEvent } from "../../src/testkit/vectors.ts";
import { type ReferenceEvent, type ReferenceOptions, reference } from "./reference.ts";

describe("the reference implementation", () => {
  for (const vector of Object.values(parserVectors).flat()) {
    it(`reads ${vector.name}: ${vector.why}`, () => {
      expect(reference(vector.chunks.join(""), optionsOf(vector)).events.map(decoded)).toEqual(vector.events);
    });
  }
});

function optionsOf({ dialect, options, finish }: ParserVector): ReferenceOptions {
  return { ...options, ...(dialect && { dialect }), ...(finish && { finish }) };
}

function decoded(event: ReferenceEvent): VectorEvent {
  switch (event.type) {
    case "call":
      return { type: "call", ...JSON.parse(event.content) };
    case "result":
      return { type: "result", content: JSON.parse(event.content) };
    case "execute":
      return { type: "execute" };
    default:
      return event;
  }
}
