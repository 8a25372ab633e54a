import { describe, expect, it } from "vitest";
import { batchContext, echo, executorOf } from "../test/support/fixtures.ts";
import { createExecutor } from "./create-executor.ts";
import { defineTool } from "./define-tool.ts";
import { createRegistry } from "./registry.ts";

const registry = createRegistry([echo]);
const definition = { name: "t", description: "t", input: { type: "object" }, execute: () => 1 };

type Wrong = [options: object, kind: typeof TypeError | typeof RangeError, ...told: string[]];

describe("createExecutor refuses", () => {
  it.each<Wrong>([
    [{ aproval: {} }, TypeError, "createExecutor has no option `aproval`", "Did you mean `approval`?"],
    [{ concurency: 2 }, TypeError, "`concurency` (given: 2)", "Did you mean `concurrency`?"],
    [{ tools: [] }, TypeError, "`tools` (given: an array)", "Valid names: `registry`"],
    [{ unknownKeys: "ignore" }, RangeError, 'unknownKeys is "ignore"; give one of "reject", "strip".'],
    [{ unknownKeys: "Strip" }, RangeError, 'Did you mean "strip"?'],
    [{ unknownKeys: true }, RangeError, "unknownKeys is true"],
    [{ hookChecks: "stric" }, RangeError, 'give one of "off", "report", "strict". Did you mean "strict"?'],
    [{ hookChecks: true }, RangeError, "hookChecks is true"],
    [{ earlyStart: "yes" }, TypeError, 'earlyStart is "yes"; give a boolean.'],
    [{ throwOnToolFailure: 1 }, TypeError, "throwOnToolFailure is 1"],
    [{ stopOnToolBlock: null }, TypeError, "stopOnToolBlock is null"],
    [{ timeout: "5000" }, TypeError, 'timeout is "5000"; give a number.'],
    [{ timeout: 0 }, RangeError, "timeout is 0"],
    [{ concurrency: "4" }, TypeError, 'concurrency is "4"'],
    [{ concurrency: 1.5 }, RangeError, "concurrency is 1.5"],
    [{ maxResultBytes: 100 }, RangeError, "maxResultBytes is 100; give a number of at least 512"],
    [{ observer: {} }, TypeError, "observer is an object; give a function."],
    [{ hooks: {} }, TypeError, "hooks is an object; give an array."],
    [{ hooks: [null] }, TypeError, "hooks[0] is null"],
    [{ hooks: [{ beforeToolUse() {} }] }, TypeError, "hooks[0] has no name"],
    [{ hooks: [{ name: 5 }] }, TypeError, "hooks[0].name is 5"],
    [{ hooks: [{ name: "a", priority: "high" }] }, TypeError, 'hooks[0].priority is "high"'],
    [{ hooks: [{ name: "a", beforeToolUse: true }] }, TypeError, "hooks[0].beforeToolUse is true"],
    [{ hooks: [{ name: "a", beforeToolCall() {} }] }, TypeError, "no trigger `beforeToolCall`", "`beforeToolUse`"],
    [{ keyRing: {} }, TypeError, "keyRing lacks `sign` and `verify`", "createKeyRing([secret])"],
    [{ keyRing: "secret" }, TypeError, "keyRing lacks"],
    [{ keyRing: null }, TypeError, "keyRing lacks"],
    [{ registry: [echo] }, TypeError, "registry is an array; give what createRegistry makes."],
    [{ registry: undefined }, TypeError, "registry is undefined"],
    [
      { approval: true },
      TypeError,
      "approval takes an object with `policy`, `approve`, `timeout`, `content`, not true",
    ],
    [{ approval: { aprove() {} } }, TypeError, "approval has no option `aprove`", "Did you mean `approve`?"],
    [{ approval: { approve: "yes" } }, TypeError, 'approval.approve is "yes"'],
    [{ approval: { timeout: "5" } }, TypeError, "approval.timeout"],
    [{ approval: { timeout: 0 } }, RangeError, "approval.timeout is 0"],
    [{ approval: { content: "deny" } }, RangeError, 'approval.content is "deny"; give one of "ask", "allow".'],
    [{ approval: { policy: "allow" } }, TypeError, "approval.policy takes an object with `tools`", 'not "allow"'],
    [{ approval: { policy: { tool: {} } } }, TypeError, "approval.policy has no option `tool`", "`tools`?"],
    [{ approval: { policy: { shell: "deny" } } }, TypeError, "approval.policy has no option `shell`"],
    [{ approval: { policy: { tools: { shell: "alow" } } } }, RangeError, "approval.policy.tools.shell", '"allow"?'],
    [{ approval: { policy: { tools: { shell: true } } } }, RangeError, "approval.policy.tools.shell is true"],
    [{ approval: { policy: { tools: null } } }, TypeError, "approval.policy.tools is null"],
    [{ approval: { policy: { annotations: { readOnly: "allow" } } } }, TypeError, "`readOnly`", "`readOnlyHint`?"],
    [{ approval: { policy: { annotations: { readOnlyHint: "yes" } } } }, RangeError, "annotations.readOnlyHint"],
    [{ approval: { policy: { otherwise: "never" } } }, RangeError, 'approval.policy.otherwise is "never"', '"deny"'],
  ])("%j", (options, kind, ...told) => {
    const create = () => createExecutor({ registry, ...options } as never);
    expect(create).toThrow(kind);
    for (const text of told) expect(create).toThrow(text);
  });

  it.each([[undefined], [null], [[]], ["registry"]])("%j in place of options", (options) => {
    expect(() => createExecutor(options as never)).toThrow(TypeError);
  });

  it("no valid option, and no option that is undefined", () => {
    const options = {
      registry,
      unknownKeys: undefined,
      nothing: undefined,
      hooks: [{ name: "idle", onModelRequest() {} }],
      approval: {
        policy: { tools: { a: "allow_anyway", b: () => "ask", c: undefined }, annotations: { readOnlyHint: "allow" } },
      },
    };
    expect(() => createExecutor(options as never)).not.toThrow();
  });
});

describe("a batch refuses", () => {
  it.each<[object | undefined, object, typeof TypeError | typeof RangeError, string]>([
    [{}, { mode: "fast" }, RangeError, 'mode is "fast"; give one of "parallel", "sequential".'],
    [{}, { mode: "sequental" }, RangeError, 'Did you mean "sequential"?'],
    [{}, { coerce: "all" }, RangeError, 'coerce is "all"; give one of "json", "lexical".'],
    [{}, { mod: "parallel" }, TypeError, 'A batch has no option `mod` (given: "parallel"). Did you mean `mode`?'],
    [{ contents: [] }, {}, TypeError, "A batch's context has no option `contents`"],
    [{ content: "untrusted" }, {}, TypeError, 'content is "untrusted"; give an array.'],
    [{ approvals: {} }, {}, TypeError, "approvals is an object; give an array."],
  ])("%j, %j", async (context, options, kind, told) => {
    const given = { ...batchContext(), ...context } as never;
    expect(() => executorOf([echo]).open(given, options)).toThrow(kind);
    expect(() => executorOf([echo]).open(given, options)).toThrow(told);
    await expect(executorOf([echo]).run([], given, options)).rejects.toThrow(told);
  });

  it("a value that is not a context", () => {
    expect(() => executorOf([echo]).open(undefined as never)).toThrow("A batch's context takes an object");
  });
});

describe("defineTool refuses", () => {
  it.each<Wrong>([
    [{ inputSchema: {} }, TypeError, "defineTool has no option `inputSchema`"],
    [{ anotations: {} }, TypeError, "Did you mean `annotations`?"],
    [{ readOnlyHint: true }, TypeError, "defineTool has no option `readOnlyHint` (given: true)"],
    [{ annotations: { readOnly: true } }, TypeError, "`readOnly`", "Did you mean `readOnlyHint`?"],
    [{ annotations: { readOnlyHint: "true" } }, TypeError, 'annotations.readOnlyHint is "true"; give a boolean.'],
    [{ annotations: [] }, TypeError, "defineTool: annotations takes an object"],
    [{ approval: "always" }, RangeError, 'approval is "always"; give one of "ask", "deny".'],
    [{ approval: true }, RangeError, "approval is true"],
    [{ execute: undefined }, TypeError, "execute is missing"],
    [{ execute: "rm" }, TypeError, 'execute is "rm"; give a function.'],
    [{ description: undefined }, TypeError, "description is missing"],
    [{ description: 5 }, TypeError, "description is 5"],
    [{ resource: "file" }, TypeError, 'resource is "file"'],
    [{ cautions: [] }, TypeError, "cautions is an array"],
    [{ brings: {} }, TypeError, "brings is an object"],
    [{ reachesOut: true }, TypeError, "reachesOut is true"],
    [{ timeout: "5" }, TypeError, 'timeout is "5"'],
    [{ maxResultBytes: "5" }, TypeError, 'maxResultBytes is "5"'],
    [{ grace: "5" }, TypeError, 'grace is "5"'],
  ])("%j", (more, kind, ...told) => {
    const define = () => defineTool({ ...definition, ...more } as never);
    expect(define).toThrow(kind);
    for (const text of told) expect(define).toThrow(text);
  });

  it.each([[undefined], [null], [() => 1], ["t"]])("%j in place of a definition", (given) => {
    expect(() => defineTool(given as never)).toThrow("defineTool takes an object");
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
