import { jsonSchemaCheck } from "@cogency/tools/host";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { editInput } from "./files/edit-tool.ts";
import { findInput } from "./files/find-tool.ts";
import { listInput } from "./files/list-tool.ts";
import { readInput } from "./files/read-tool.ts";
import { replaceInput } from "./files/replace-tool.ts";
import { writeInput } from "./files/write-tool.ts";
import type { LazyInput } from "./lazy-input.ts";
import { recallInput } from "./recall/recall-tool.ts";
import { hostRules } from "./sandbox/egress/host-rules.ts";
import { shellOutputInput } from "./shell/background/shell-output-tool.ts";
import { shellStopInput } from "./shell/background/shell-stop-tool.ts";
import { shellInput } from "./shell/shell-input.ts";
import { scrapeInput } from "./web/scrape-tool.ts";
import { searchInput } from "./web/search-tool.ts";

const inputs = {
  read: readInput,
  write: writeInput,
  edit: editInput,
  list: listInput,
  find: findInput,
  replace: replaceInput,
  scrape: scrapeInput,
  search: searchInput,
  recall: recallInput,
  shell_output: shellOutputInput,
  shell_stop: shellStopInput,
};

/** As zod makes it, without the keys that `defineTool` leaves out. */
function schemaOf(input: LazyInput<z.ZodType>) {
  const { $schema: _, ...schema } = z.toJSONSchema(input.schema(), { io: "input" });
  return schema;
}

/** As the formatter writes it: short lists stand in one line. */
function formatted(schemas: object): string {
  const text = JSON.stringify(schemas, undefined, 2);
  return `${text.replaceAll(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (_, items) => `[${items.replaceAll(/\n\s+/g, " ")}]`)}\n`;
}

describe("the JSON Schemas that are made ahead", () => {
  it("are those of the tools; vitest --update makes them again", async () => {
    const schemas = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, schemaOf(input)]));
    await expect(formatted(schemas)).toMatchFileSnapshot("./parameters.json");
  });

  it.each([
    [{ file: "a.md" }, { file: "" }, readInput],
    [{ file: "a.md", content: "" }, { file: "", content: "" }, writeInput],
    [{ path: "src" }, { path: "" }, listInput],
    [{ content: "a" }, {}, findInput],
    [{ pattern: "*", content: "a" }, { pattern: "*", path: "" }, findInput],
    [{ find: "a", with: "" }, { find: "", with: "" }, replaceInput],
    [{ query: "a" }, {}, recallInput],
    [{ conversation: "c1" }, { query: "a", conversation: "c1" }, recallInput],
    [{ query: "a" }, { query: "" }, searchInput],
    [{ job: "job_1" }, { job: "" }, shellStopInput],
    [{ command: "ls" }, { command: "" }, shellInput({ usual: 1, longest: 1 }, undefined, false)],
    [{ command: "ls", cwd: "." }, { command: "ls", cwd: "" }, shellInput({ usual: 1, longest: 1 }, undefined, false)],
  ])("demand of %j and %j what the tool's own check demands", async (right, wrong, input) => {
    const check = jsonSchemaCheck(input["~standard"].jsonSchema.input({ target: "draft-2020-12" }));
    expect(check(right)).toBeUndefined();
    expect(await input["~standard"].validate(right)).not.toHaveProperty("issues");
    expect(check(wrong)).toEqual(expect.any(String));
    expect(await input["~standard"].validate(wrong)).toHaveProperty("issues");
  });

  it.each([undefined, hostRules([]), hostRules(["a.example", "b.example:443"])])(
    "are, of shell, those of its options",
    (hosts) => {
      for (const [seconds, hasJobs] of [
        [{ usual: 120, longest: 1800 }, true],
        [{ usual: 0.5, longest: 0.5 }, false],
      ] as const) {
        const input = shellInput(seconds, hosts, hasJobs);
        const given = input["~standard"].jsonSchema.input({ target: "draft-2020-12" });
        expect(JSON.stringify(given)).toBe(JSON.stringify(schemaOf(input)));
      }
    },
  );
});
