import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonLines, type Place, place } from "./support/command-line.ts";
import { modelServer } from "./support/model-servers.ts";

const person = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer" } },
  required: ["name", "age"],
  additionalProperties: false,
};
const ada = { name: "Ada", age: 36 };

/** A folder with the schema of a person. */
function registry(): Place {
  const at = place();
  writeFileSync(join(at.folder, "person.json"), JSON.stringify(person));
  return at;
}

describe("--schema", () => {
  it.each(["Chat Completions", "Messages", "Gemini"] as const)(
    "prints the answer as JSON that fits, and nothing else on stdout, over %s",
    async (wire) => {
      const read = '<execute>[{"name":"read","args":{"file":"notes.txt"}}]</execute>';
      const server = await modelServer(`Let me see. ${read}`, '```json\n{"age": 36, "name": "Ada"}\n```\n<end>');
      const { code, stdout, stderr } = await registry().cogency([
        ...["run", "who wrote my notes?", "--schema", "person.json"],
        ...server.at(wire),
      ]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '{"age":36,"name":"Ada"}\n' });
      expect(stderr).toContain("✓ read 21 bytes\n");
      expect(stderr).not.toContain("Let me see");
      expect(JSON.stringify(server.requests[0])).toContain("additionalProperties");
    },
  );

  it("lets the model answer again until the answer fits", async () => {
    const server = await modelServer('{"name":"Ada"}<end>', `${JSON.stringify(ada)}<end>`);
    const { code, stdout, stderr } = await registry().cogency([
      ...["run", "who?", "--schema", "person.json"],
      ...server.at("Gemini"),
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${JSON.stringify(ada)}\n` });
    expect(stderr).toMatch(/^! Your answer does not fit the schema: age: required\./m);
    expect(JSON.stringify(server.requests[1])).toContain("age: required");
  });

  it("ends with code 3 and what did not fit, if no answer does", async () => {
    const server = await modelServer(...Array<string>(3).fill('{"name":"Ada","age":"old"}<end>'));
    const run = ["run", "who?", "--schema", "person.json", ...server.at("Gemini")];
    const { code, stdout, stderr } = await registry().cogency(run);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(
      /^error: No answer of the model fits the schema, and .* The last one does not fit the schema: age: expected integer, received string\.$/m,
    );
    expect(server.requests).toHaveLength(3);
  });

  it("says of an answer that is no JSON that it is none", async () => {
    const server = await modelServer(...Array<string>(3).fill("Ada is 36.<end>"));
    const { stderr } = await registry().cogency(["run", "?", "--schema", "person.json", ...server.at("Gemini")]);
    expect(stderr).toMatch(/^error: .* The last one is not JSON: .*[^.]\.$/m);
    expect(stderr).not.toMatch(/^error: .*Answer again/m);
  });

  it("adds the object to the last line of --json, whose events are whole units", async () => {
    const server = await modelServer(`${JSON.stringify(ada)}<end>`);
    const run = ["run", "who?", "--schema", "person.json", "--json", ...server.at("Gemini")];
    const { code, stdout, stderr } = await registry().cogency(run);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = jsonLines<{ type: string; content?: string; unit?: number }>(stdout);
    expect(lines.filter(({ type }) => type === "respond")).toEqual([
      expect.objectContaining({ content: JSON.stringify(ada) }),
    ]);
    expect(lines.some(({ unit }) => unit !== undefined)).toBe(false);
    expect(lines.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["run_started", "request_ended", "run_ended"]),
    );
    expect(lines.at(-1)).toMatchObject({ type: "run", status: "completed", object: ada, exit: 0 });
  });

  it("takes a list, a prompt from stdin and an attachment", async () => {
    const at = place();
    writeFileSync(join(at.folder, "names.json"), '{"type":"array","items":{"type":"string"}}');
    writeFileSync(join(at.folder, "letter.pdf"), "%PDF-1.7");
    const server = await modelServer('["Ada"]<end>');
    const args = ["run", "-", "--schema", "names.json", "--attach", "letter.pdf", ...server.at("Gemini")];
    const { stdout } = await at.cogency(args, { input: "whom does it name?" });
    expect(stdout).toBe('["Ada"]\n');
    expect(JSON.stringify(server.requests[0])).toContain("application/pdf");
  });

  it("is given to a provider that can constrain its answers, with --driver native", async () => {
    const server = await modelServer(JSON.stringify(ada));
    const run = ["run", "who?", "--schema", "person.json", "--driver", "native", ...server.at("Gemini")];
    expect((await registry().cogency(run)).stdout).toBe(`${JSON.stringify(ada)}\n`);
    expect(server.requests[0]?.generationConfig).toMatchObject({ responseJsonSchema: { required: ["name", "age"] } });
  });
});
