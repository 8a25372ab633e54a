import { describe, expect, it } from "vitest";
import { batchContext, executorOf, freeTool } from "../test/support/fixtures.ts";
import { describeError } from "./describe-error.ts";
import { ToolError } from "./errors.ts";
import { toToolResult } from "./result/tool-result.ts";

const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
const caused = (message: string, cause: unknown) => new Error(message, { cause });

const cyclic = new Error("a");
cyclic.cause = caused("b", cyclic);
const own = new Error("alone");
own.cause = own;

describe("describeError", () => {
  it.each<[string, unknown, string | undefined]>([
    ["an error", new Error("no such file"), "no such file"],
    ["an error over several lines", new Error("a\nb"), "a\nb"],
    ["a cause", caused("fetch failed", refused), "fetch failed: connect ECONNREFUSED 127.0.0.1:1"],
    ["a cause of a cause", caused("a", caused("b", new Error("c"))), "a: b: c"],
    ["a cause behind a whole sentence", caused("It failed.", new Error("EIO")), "It failed: EIO"],
    ["a cause over several lines", caused("a", new Error(" b\n\n  c\td ")), "a: b c d"],
    ["a cause that the message tells already", caused("a: EIO", new Error("EIO")), "a: EIO"],
    ["a cause that begins with the message", caused("read", new Error("read EIO")), "read EIO"],
    ["a cause without a message", caused("a", Object.assign(new Error(""), { code: "EPIPE" })), "a: EPIPE"],
    ["a cause that says nothing", caused("a", new Error("")), "a"],
    ["a cause that is text", caused("a", "b"), "a: b"],
    ["a cause that is a number", caused("a", 42), "a: 42"],
    ["a cause that is a symbol", caused("a", Symbol("s")), "a: Symbol(s)"],
    ["a cause that is null", caused("a", null), "a"],
    ["a cause that is a function", caused("a", () => 1), "a"],
    ["a cause that resembles an error", caused("a", { message: "b", cause: { message: "c" } }), "a: b: c"],
    ["no message of its own", caused("", refused), "connect ECONNREFUSED 127.0.0.1:1"],
    ["several errors", new AggregateError([new Error("a"), new Error("b")], "all failed"), "all failed: a; b"],
    ["several errors without a message", new AggregateError([new Error("a"), new Error("b")]), "a; b"],
    [
      "what Node's fetch throws",
      new TypeError("fetch failed", {
        cause: Object.assign(new AggregateError([refused, new Error("::1")]), { code: "E" }),
      }),
      "fetch failed: E: connect ECONNREFUSED 127.0.0.1:1; ::1",
    ],
    ["the same twice", new AggregateError([new Error("a"), new Error("a")], "x"), "x: a"],
    [
      "a crowd",
      new AggregateError(
        Array.from({ length: 9 }, (_, n) => new Error(`n${n}`)),
        "x",
      ),
      "x: n0; n1; n2; n3; n4; and 4 more",
    ],
    ["a cycle", cyclic, "a: b"],
    ["itself", own, "alone"],
    ["a cause that it hides", Object.assign(caused("no such file", refused), { hidesCause: true }), "no such file"],
    ["a cause that hides its own", caused("a", Object.assign(caused("b", refused), { hidesCause: true })), "a: b"],
    ["text", "just text", "just text"],
    ["a number", 42, ""],
    ["nothing", undefined, ""],
    [
      "a cause that cannot be read",
      Object.defineProperty(new Error("a"), "cause", {
        get() {
          throw new Error("trap");
        },
      }),
      "a",
    ],
    ["members that cannot be read", Object.assign(new Error("a"), { errors: revoked() }), "a"],
    ["a cause that cannot be touched", caused("a", revoked()), "a"],
    ["what cannot be touched", revoked(), undefined],
  ])("describes %s in one line", (_, thrown, text) => {
    expect(describeError(thrown)).toBe(text);
  });

  it("terminates with a short text, whatever the causes of an error are", () => {
    const deep = Array.from({ length: 10_000 }, (_, n) => n).reduce(
      (cause, n) => caused(`e${n}`, cause),
      new Error("x"),
    );
    const wide = (depth: number): Error =>
      depth === 0
        ? new Error("leaf")
        : new AggregateError(
            Array.from({ length: 6 }, () => wide(depth - 1)),
            `d${depth}`,
          );
    for (const error of [deep, wide(5), caused("long", new Error("x".repeat(1_000_000))), endless()]) {
      expect(describeError(error)?.length).toBeLessThan(1200);
    }
  });
});

describe("a failure", () => {
  const failing = freeTool("fail", () => Promise.reject(caused("fetch failed", refused)));

  it("is described with its causes, for the model and in the error of the executor", async () => {
    const calls = [{ name: "fail", args: {} }];
    const [execution] = await executorOf([failing]).run(calls, batchContext());
    expect(execution && toToolResult(execution).content).toBe("fetch failed: connect ECONNREFUSED 127.0.0.1:1");
    const thrown = executorOf([failing], { throwOnToolFailure: true }).run(calls, batchContext());
    await expect(thrown).rejects.toThrow(ToolError);
    await expect(thrown).rejects.toThrow("The tool fail failed: fetch failed: connect ECONNREFUSED 127.0.0.1:1");
  });

  it("a refusal reveals nothing about errors inside the host", async () => {
    const approval = { approve: () => Promise.reject(new Error("queue at 10.0.0.7 is down")) };
    const [execution] = await executorOf([failing], { approval }).run([{ name: "fail", args: {} }], batchContext());
    expect(execution?.outcome).toBe("denied");
    expect(execution && toToolResult(execution).content).not.toContain("10.0.0.7");
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Each cause is made when it is read. */
function endless(): Error {
  return Object.defineProperty(new Error("again"), "cause", { get: endless });
}
