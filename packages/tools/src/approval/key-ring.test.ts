import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkKeyRing, createKeyRing, processKeyRing, type Statement } from "./key-ring.ts";

const old = "an older secret of more than 32 bytes";
const recent = "a newer secret, also of more than 32 bytes";
const ring = createKeyRing([recent, old]);

const statement: Statement = {
  purpose: "record",
  user: "ada",
  conversation: "c1",
  question: "q1",
  call: "call_1",
  name: "shell",
  hash: "ab".repeat(32),
  decision: "approved",
  reason: null,
  content: null,
};
const proof = await ring.sign(statement);

describe("a key ring", () => {
  it("verifies its own proofs, also if the keys of the statement come in another order", async () => {
    expect(proof).toEqual({ key: expect.stringMatching(/^[\da-f]{16}$/), mac: expect.stringMatching(/^[\da-f]{64}$/) });
    expect(await ring.verify(statement, proof)).toBe(true);
    const reversed = Object.fromEntries(Object.entries(statement).reverse()) as Statement;
    expect(await ring.verify(reversed, proof)).toBe(true);
    expect(await createKeyRing([recent, old]).verify(statement, JSON.parse(JSON.stringify(proof)))).toBe(true);
  });

  it.each<[string, Partial<Record<keyof typeof statement, unknown>>]>([
    ["another purpose", { purpose: "message" }],
    ["another purpose still", { purpose: "origin" }],
    ["another user", { user: "bob" }],
    ["no user", { user: null }],
    ["a user of that name in another type", { user: ["ada"] }],
    ["another conversation", { conversation: "c2" }],
    ["another question", { question: "q2" }],
    ["no question", { question: null }],
    ["another call", { call: "call_2" }],
    ["another tool", { name: "read" }],
    ["other arguments", { hash: "ba".repeat(32) }],
    ["another decision", { decision: "denied" }],
    ["another reason", { reason: "" }],
    ["the text of no reason", { reason: "null" }],
    ["other content", { content: "" }],
    ["one field more", { more: null }],
    ["a key of its own", { key: "0".repeat(16) }],
    ["the boundary between two fields moved", { call: 'call_1","name":"shell', name: "" }],
  ])("does not verify a statement with %s", async (_, change) => {
    expect(await ring.verify({ ...statement, ...change } as Statement, proof)).toBe(false);
  });

  it("does not verify a statement that lacks a field", async () => {
    for (const field of Object.keys(statement)) {
      const { [field]: _, ...rest } = statement;
      expect(await ring.verify(rest as Statement, proof)).toBe(false);
    }
  });

  const trap = {
    get mac(): string {
      throw new Error("trap");
    },
  };
  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a text", proof.mac],
    ["a number", 7],
    ["a list", [proof.key, proof.mac]],
    ["no mac", { key: proof.key }],
    ["no key", { mac: proof.mac }],
    ["a key that nobody has", { ...proof, key: "0".repeat(16) }],
    ["a key in another type", { ...proof, key: [proof.key] }],
    ["an empty mac", { ...proof, mac: "" }],
    ["a mac that is cut", { ...proof, mac: proof.mac.slice(0, 62) }],
    ["a mac that is longer", { ...proof, mac: `${proof.mac}00` }],
    ["a mac with a line break", { ...proof, mac: `${proof.mac}\n` }],
    ["a mac in capitals", { ...proof, mac: proof.mac.toUpperCase().replace(/^\d*$/, "A") }],
    ["a mac that is no number", { ...proof, mac: "z".repeat(64) }],
    ["a mac of zeros", { ...proof, mac: "0".repeat(64) }],
    ["a mac with one bit changed", { ...proof, mac: proof.mac.replace(/.$/, (last) => (last === "0" ? "1" : "0")) }],
    ["a mac in another type", { ...proof, mac: [proof.mac] }],
    ["a mac of bytes", { ...proof, mac: new Uint8Array(32) }],
    ["a mac of a million digits", { ...proof, mac: "a".repeat(1_000_000) }],
    ["what cannot be read", trap],
    ["true", true],
  ])("does not accept %s as a proof, and does not throw", async (_, given) => {
    expect(await ring.verify(statement, given as never)).toBe(false);
  });

  it("does not throw for a statement that JSON cannot hold either", async () => {
    expect(await ring.verify({ purpose: "record", n: 1n } as never, proof)).toBe(false);
  });

  it("signs with the newest key, and verifies with the older ones, too", async () => {
    const before = await createKeyRing([old]).sign(statement);
    expect(await ring.verify(statement, before)).toBe(true);
    expect((await ring.sign(statement)).key).not.toBe(before.key);
    expect(await createKeyRing([recent]).verify(statement, before)).toBe(false);
    expect(await createKeyRing([recent]).verify(statement, { ...before, key: proof.key })).toBe(false);
    expect(await createKeyRing([old]).verify(statement, proof)).toBe(false);
  });

  it("accepts a secret as text or bytes, and keeps a copy of its own", async () => {
    const bytes = Buffer.from(recent);
    const copying = createKeyRing([bytes]);
    bytes.fill(0);
    expect(await copying.verify(statement, proof)).toBe(true);
  });

  it("distinguishes any two statements, whatever their fields hold", async () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.constantFrom("\ud800", "\udfff", "\\ud800", "\ufffd", '"', "null", ""),
    );
    const fields = fc.dictionary(text, fc.oneof(text, fc.constant(null)), { maxKeys: 3, noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(fields, fields, async (one, other) => {
        const signed = await ring.sign({ ...one, purpose: "record" });
        const isSame = isEqual({ ...one, purpose: "record" }, { ...other, purpose: "record" });
        expect(await ring.verify({ ...one, purpose: "record" }, signed)).toBe(true);
        expect(await ring.verify({ ...other, purpose: "record" }, signed)).toBe(isSame);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, unknown, typeof RangeError | typeof TypeError, string]>([
    ["no secret", [], RangeError, "no secret"],
    ["an empty one", [""], RangeError, "has 0 bytes"],
    ["one of 31 bytes", ["x".repeat(31)], RangeError, "Secret 0 of the key ring has 31 bytes"],
    ["a short one behind a good one", [recent, new Uint8Array(16)], RangeError, "Secret 1"],
    ["one that is no text", [recent, 5], TypeError, "Secret 1"],
    ["none at its place", [undefined], TypeError, "Secret 0"],
    ["a text for a list", recent, TypeError, "a list of secrets"],
    ["nothing", undefined, TypeError, "a list of secrets"],
  ])("is not made of %s", (_, secrets, kind, message) => {
    expect(() => createKeyRing(secrets as never)).toThrow(kind);
    expect(() => createKeyRing(secrets as never)).toThrow(message);
  });

  it("of 32 bytes, counted in UTF-8, is long enough", () => {
    expect(() => createKeyRing(["é".repeat(16)])).not.toThrow();
  });
});

describe("the key ring of the process", () => {
  it("is one ring, and no other process has it", async () => {
    expect(processKeyRing()).toBe(processKeyRing());
    const own = await processKeyRing().sign(statement);
    expect(await processKeyRing().verify(statement, own)).toBe(true);
    expect(await ring.verify(statement, own)).toBe(false);
    expect(await processKeyRing().verify(statement, proof)).toBe(false);
  });
});

describe("checkKeyRing", () => {
  it.each([[null], [5], ["secret"], [{}], [{ sign() {} }], [{ verify() {} }], [{ sign: 1, verify: 1 }]])(
    "refuses %j",
    (given) => {
      expect(() => checkKeyRing(given)).toThrow(TypeError);
      expect(() => checkKeyRing(given)).toThrow("createKeyRing([secret])");
    },
  );

  it("accepts an object that signs and verifies", () => {
    expect(() => checkKeyRing(ring)).not.toThrow();
    expect(() => checkKeyRing({ sign() {}, verify() {} })).not.toThrow();
  });
});

function isEqual(one: object, other: object): boolean {
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && Reflect.get(one, key) === Reflect.get(other, key))
  );
}
