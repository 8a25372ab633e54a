import { rmSync } from "node:fs";
import { afterAll, describe, it } from "vitest";
import { type Wire, withoutEventStream } from "../src/testkit/index.ts";
import { filesByHand, guideHarness } from "./support/guide.ts";
import { runLightCases } from "./support/run-light-cases.ts";

describe("wires of other shapes than the guide's", () => {
  const folder = (name: string) => new URL(`.readme/${name}/`, import.meta.url);
  afterAll(() => {
    for (const name of ["lines", "crlf"]) rmSync(folder(name), { recursive: true, force: true });
  });

  it("JSON lines, with calls that have no ids", async () => {
    const files = filesByHand();
    edit(files, "parrot", '"text/event-stream"', '"application/x-ndjson"');
    edit(
      files,
      "parrot",
      "{ host, limits, signal, isComplete }",
      "{ host, limits, signal, isComplete, isJSONLines: true }",
    );
    edit(files, "request", "use: id,", "");
    edit(files, "request", "outcome: id,", 'outcome: "",');
    edit(files, "wire", "answer({", 'contentType: "application/x-ndjson", callIds: false, answer({');
    edit(files, "wire", "id: part.id, name", "name");
    edit(files, "wire", "`data: $" + "{JSON.stringify(chunk)}\\n\\n`", 'JSON.stringify(chunk) + "\\n"');
    edit(files, "reduce", "callId(chunk.id,", 'callId("",');
    const harness = await guideHarness(folder("lines"), files);
    await runLightCases("lines", () => ({ ...harness, declare: withoutEventStream }));
  });

  it("lines that end in CR LF, with the last text in the last frame", async () => {
    const harness = await guideHarness(folder("crlf"));
    const wire: Wire = {
      ...harness.wire,
      answer(reply) {
        const frames = harness.wire.answer(reply).map((frame) => frame.replaceAll("\n", "\r\n"));
        return [...frames.slice(0, -2), frames.slice(-2).join("")];
      },
    };
    await runLightCases("crlf", () => ({ ...harness, wire }));
  });
});

function edit(files: Map<string, string>, name: string, from: string, to: string): void {
  const code = files.get(name) ?? "";
  if (!code.includes(from)) throw new Error(`The guide's ${name} does not hold: ${from}`);
  files.set(
    name,
    code.replace(from, () => to),
  );
}
