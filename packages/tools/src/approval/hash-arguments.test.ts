import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { argumentsHash } from "./hash-arguments.ts";

describe("argumentsHash", () => {
  it("is the SHA-256 of the canonical JSON in UTF-8", async () => {
    const expected = createHash("sha256").update('{"a":{"é":"\u{1F600}"},"b":[1]}', "utf8").digest("hex");
    expect(await argumentsHash({ b: [1], a: { é: "\u{1F600}" } })).toBe(expected);
    expect(await argumentsHash({})).toBe("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
  });

  it("depends on everything in the arguments except the order of keys", async () => {
    const hash = await argumentsHash({ command: "ls", options: { all: true, depth: 2 } });
    expect(await argumentsHash({ options: { depth: 2, all: true }, command: "ls" })).toBe(hash);
    const others = [
      { command: "ls ", options: { all: true, depth: 2 } },
      { command: "ls", options: { all: true, depth: "2" } },
      { command: "ls", options: { all: true } },
      {
        command: "ls",
        options: [
          ["all", true],
          ["depth", 2],
        ],
      },
    ];
    for (const other of others) expect(await argumentsHash(other)).not.toBe(hash);
  });
});
