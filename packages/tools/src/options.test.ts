import { describe, expect, it } from "vitest";
import { batchContext, echo, executorOf } from "../test/support/fixtures.ts";
import { createExecutor } from "./create-executor.ts";
import { defineTool } from "./define-tool.ts";
import { createRegistry } from "./registry.ts";
import { StopRun } from "./stop-run.ts";

const registry = createRegistry([echo]);
const definition = { name: "t", description: "t", input: { type: "object" }, execute: () => 1 };

type Wrong = [options: object, kind: typeof TypeError | typeof RangeError, ...told: string[]];

const refuses = (work: () => unknown, kind: typeof TypeError | typeof RangeError, told: readonly string[]) => {
  expect(work).toThrow(kind);
  for (const text of told) expect(work).toThrow(text);
  expect(work).toThrow(expect.objectContaining({ code: "invalid_option" }));
};

describe("createExecutor refuses", () => {
  it.each<Wrong>([
    [{ aproval: {} }, TypeError, "createExecutor has no option `aproval`", "Did you mean `approval`?"],
    [{ concurency: 2 }, TypeError, "`concurency` (given: 2)", "Did you mean `concurrency`?"],
    [{ tools: [] }, TypeError, "`tools` (given: an array)", "Its options are `registry`"],
    [{ earlyStart: "yes" }, TypeError, "`earlyStart` is a string; give true or false."],
    [{ throwOnToolFailure: 1 }, TypeError, "`throwOnToolFailure` is 1"],
    [{ stopOnToolBlock: null }, TypeError, "`stopOnToolBlock` is null"],
    [{ timeout: "5000" }, TypeError, "`timeout` is a string; give milliseconds above 0."],
    [{ timeout: 0 }, RangeError, "`timeout` is 0"],
    [{ timeout: Number.NaN }, RangeError, "`timeout` is NaN"],
    [{ concurrency: "4" }, TypeError, "`concurrency` is a string"],
    [{ concurrency: 1.5 }, RangeError, "`concurrency` is 1.5"],
    [{ maxResultBytes: 100 }, RangeError, "`maxResultBytes` is 100; give a number of bytes of at least 512"],
    [{ attachments: { maxByte: 5 } }, TypeError, "`attachments` of createExecutor", "Did you mean `maxBytes`?"],
    [{ attachments: { kinds: ["video"] } }, RangeError, "`kinds[0]`", '"video"'],
    [{ observer: {} }, TypeError, "`observer` is an object; give a function."],
    [{ hooks: {} }, TypeError, "`hooks` is an object; give an array of hooks."],
    [{ hooks: [null] }, TypeError, "`hooks[0]` is null"],
    [{ hooks: [{ beforeToolUse() {} }] }, TypeError, "needs `hooks[0].name`"],
    [{ hooks: [{ name: 5 }] }, TypeError, "`hooks[0].name` is 5"],
    [{ hooks: [{ name: "a", priority: "high" }] }, TypeError, "`hooks[0].priority` is a string"],
    [{ hooks: [{ name: "a", beforeToolUse: true }] }, TypeError, "`hooks[0].beforeToolUse` is true"],
    [{ hooks: [{ name: "a", beforeToolCall() {} }] }, TypeError, "no point `beforeToolCall`", "`beforeToolUse`?"],
    [{ hooks: [{ name: "a", onToolEnd() {} }] }, TypeError, "no point `onToolEnd`", "`afterToolUse`?"],
    [{ hooks: [{ name: "a", afterToolUse() {}, onToolStart() {} }] }, TypeError, "`onToolStart`", "`beforeToolUse`?"],
    [{ hooks: [{ name: "a" }] }, TypeError, '`hooks[0]` ("a") has no point, so it would never be called.'],
    [{ keyRing: {} }, TypeError, "`keyRing` is an object", "createKeyRing([secret])", "`sign()` and `verify()`"],
    [{ keyRing: "secret" }, TypeError, "`keyRing` is a string"],
    [{ registry: [echo] }, TypeError, "`registry` is an array; give what createRegistry makes"],
    [{ registry: undefined }, TypeError, "needs `registry`"],
    [
      { approval: true },
      TypeError,
      "`approval` is true; give an object with `policy`, `approve`, `answered`, `timeout`, `content`",
    ],
    [{ approval: { aprove() {} } }, TypeError, "`aprove`", "Did you mean `approve`?"],
    [{ approval: { approve: "yes" } }, TypeError, "`approve` is a string"],
    [{ approval: { timeout: 0 } }, RangeError, "`timeout` is 0"],
    [{ approval: { content: "deny" } }, RangeError, '`content` is "deny"; give one of "ask", "allow".'],
    [{ approval: { policy: "allow" } }, TypeError, "`policy` is a string"],
    [{ approval: { policy: { tool: {} } } }, TypeError, "no option `tool`", "`tools`?"],
    [{ approval: { policy: { shell: "deny" } } }, TypeError, "no option `shell`"],
    [{ approval: { policy: { tools: { shell: "alow" } } } }, RangeError, 'tools["shell"]', '"alow"'],
    [{ approval: { policy: { tools: { shell: true } } } }, TypeError, 'tools["shell"]` is true'],
    [{ approval: { policy: { tools: null } } }, TypeError, "`tools` is null"],
    [{ approval: { policy: { annotations: { readOnly: "allow" } } } }, TypeError, "`readOnly`", "`readOnlyHint`?"],
    [{ approval: { policy: { annotations: { readOnlyHint: "yes" } } } }, RangeError, "`readOnlyHint`"],
    [{ approval: { policy: { otherwise: "never" } } }, RangeError, '`otherwise` is "never"', '"deny"'],
  ])("%j", (options, kind, ...told) => {
    refuses(() => createExecutor({ registry, ...options } as never), kind, told);
  });

  it.each([[undefined], [null], [[]], ["registry"]])("%j in place of options", (options) => {
    expect(() => createExecutor(options as never)).toThrow(TypeError);
  });

  it("no valid option, and no option that is undefined", () => {
    class Watching {
      name = "watching";
      seen = 0;
      afterToolUse() {
        this.beforeLunch();
        return undefined;
      }
      /** A method of its own. */
      beforeLunch() {
        this.seen++;
      }
    }
    const options = {
      registry,
      nothing: undefined,
      hooks: [{ name: "idle", beforeToolUse() {}, count: 5, helper() {} }, new Watching()],
      approval: {
        policy: { tools: { a: "allow_anyway", b: () => "ask", c: undefined }, annotations: { readOnlyHint: "allow" } },
      },
    };
    expect(() => createExecutor(options as never)).not.toThrow();
  });
});

describe("a batch refuses", () => {
  it.each<[object | undefined, object, typeof TypeError | typeof RangeError, string]>([
    [{}, { mode: "fast" }, RangeError, '`mode` is "fast"; give one of "parallel", "sequential".'],
    [{}, { coerce: "all" }, RangeError, '`coerce` is "all"; give one of "json", "lexical".'],
    [{}, { mod: "parallel" }, TypeError, "A batch has no option `mod` (given: a string). Did you mean `mode`?"],
    [{ contents: [] }, {}, TypeError, "A batch's context has no option `contents`"],
    [{ content: "untrusted" }, {}, TypeError, "`content` is a string; give an array."],
    [{ approvals: {} }, {}, TypeError, "`approvals` is an object; give an array."],
    [{ signal: new AbortController() }, {}, TypeError, "`signal` is an object; give an AbortSignal"],
    [{ conversation: undefined }, {}, TypeError, "needs `conversation`"],
  ])("%j, %j", async (context, options, kind, told) => {
    const given = { ...batchContext(), ...context } as never;
    refuses(() => executorOf([echo]).open(given, options), kind, [told]);
    await expect(executorOf([echo]).run([], given, options)).rejects.toThrow(told);
  });

  it("a value that is not a context", () => {
    expect(() => executorOf([echo]).open(undefined as never)).toThrow("A batch's context takes options, not undefined");
  });
});

describe("defineTool refuses", () => {
  it.each<Wrong>([
    [{ input: undefined, parameters: {} }, TypeError, "defineTool needs `input`", "`parameters` does not replace it"],
    [{ input: undefined, inputSchema: {} }, TypeError, "no option `inputSchema`", "Did you mean `input`?"],
    [{ handler() {} }, TypeError, "no option `handler`", "Did you mean `execute`?"],
    [{ func() {} }, TypeError, "no option `func`", "Did you mean `execute`?"],
    [{ needsApproval: true }, TypeError, "no option `needsApproval`", "Did you mean `approval`?"],
    [{ anotations: {} }, TypeError, "Did you mean `annotations`?"],
    [{ readOnlyHint: true }, TypeError, "defineTool has no option `readOnlyHint` (given: true)"],
    [{ annotations: { readOnly: true } }, TypeError, "`readOnly`", "Did you mean `readOnlyHint`?"],
    [{ annotations: { readOnlyHint: "true" } }, TypeError, "`readOnlyHint` is a string; give true or false."],
    [{ annotations: [] }, TypeError, "`annotations` is an array"],
    [{ approval: "always" }, RangeError, '`approval` is "always"; give one of "allow", "ask", "deny".'],
    [{ approval: true }, TypeError, "`approval` is true"],
    [{ execute: undefined }, TypeError, "needs `execute`: the body of the tool"],
    [{ execute: "rm" }, TypeError, "`execute` is a string; give the body of the tool, a function."],
    [{ description: undefined }, TypeError, "needs `description`: a text that says what the tool does"],
    [{ description: 5 }, TypeError, "`description` is 5"],
    [{ name: undefined }, TypeError, "needs `name`"],
    [{ resource: "file" }, TypeError, "`resource` is a string"],
    [{ cautions: [] }, TypeError, "`cautions` is an array"],
    [{ brings: {} }, TypeError, "`brings` is an object"],
    [{ reachesOut: true }, TypeError, "`reachesOut` is true"],
    [{ timeout: "5" }, TypeError, "`timeout` is a string"],
    [{ maxResultBytes: "5" }, TypeError, "`maxResultBytes` is a string"],
    [{ grace: "5" }, TypeError, "`grace` is a string"],
  ])("%j", (more, kind, ...told) => {
    refuses(() => defineTool({ ...definition, ...more } as never), kind, told);
  });

  it.each([[undefined], [null], [() => 1], ["t"]])("%j in place of a definition", (given) => {
    expect(() => defineTool(given as never)).toThrow("defineTool takes options, not");
  });

  it("neither an MCP title nor the other fields of an instance of a class", () => {
    class Greeter {
      name = "greet";
      description = "Greets";
      input = { type: "object" };
      annotations = { readOnlyHint: true, title: "Greeting" };
      word = "hello";
      execute() {
        return this.word;
      }
    }
    expect(defineTool(new Greeter()).execute({}, undefined as never)).toBe("hello");
  });
});

describe("StopRun refuses", () => {
  it.each<Wrong>([
    [{ reason: "complete" }, RangeError, '`reason` is "complete"', '"completed"'],
    [{}, TypeError, "StopRun needs `reason`"],
    [{ reason: "completed", mesage: "x" }, TypeError, "Did you mean `message`?"],
  ])("%j", (options, kind, ...told) => {
    refuses(() => new StopRun(options as never), kind, told);
  });
});
