import { describe, expect, it } from "vitest";
import { describeSandbox } from "../../../test/sandbox/describe-sandbox.ts";
import { judgedScripts, openScripts } from "../../../test/shell/scripts/hand-scripts.ts";
import { disagreement, recordScripts } from "../../../test/shell/scripts/record-scripts.ts";
import { ShellError } from "../errors.ts";
import { readScript, readScriptIfAny } from "./read-script.ts";

describe("readScript", () => {
  it.each(judgedScripts)("judges %j", (script) => {
    expect(readScript(script).reasons).toEqual([]);
  });

  it.each(openScripts)("judges no %j", (script, reason) => {
    try {
      const { reasons } = readScript(script);
      expect(reasons.map(({ what }) => what).join("\n")).toMatch(reason);
    } catch (error) {
      // It does not run at all.
      expect(error).toBeInstanceOf(ShellError);
      expect(error).toMatchObject({ code: "command_invalid" });
    }
  });

  it("gives undefined in place of an error where that is asked for", () => {
    expect(() => readScript("echo 'a")).toThrow(ShellError);
    expect(readScriptIfAny("echo 'a")).toBeUndefined();
    expect(readScriptIfAny("ls | cat")?.isScript).toBe(true);
  });

  it("finds the commands of every part, in order", () => {
    const script = [
      "a1 && a2 | a3; if b1; then b2; elif b3; then b4; else b5; fi",
      "for i in $(c1 `c2`); do c3; done; while d1; do d2; done; case $(e1) in $(e2)) e3;; esac",
      `f() { f1; }; (g1); { g2; } > out/$(g3); h1 <(h2) "$(h3 "$(h4)")" \${x:-$(h5)} $((1 + $(h6))) {a,$(h7)}`,
      "i1 <<E\n$(i2)\nE",
      "A=$(j1) B[$(j2)]=1; [[ $(k1) ]]; coproc l1; time m1 & n1 `o1 \\`o2\\``",
    ].join("\n");
    const names = readScript(script).commands.flatMap(({ words }) => words[0]?.value ?? []);
    const expected =
      "a1 a2 a3 b1 b2 b3 b4 b5 c1 c2 c3 d1 d2 e1 e2 e3 f1 g1 g2 g3 h1 h2 h3 h4 h5 h6 h7 i1 i2 j1 j2 k1 l1 m1 n1 o1 o2";
    expect(names.toSorted()).toEqual(expected.split(" ").toSorted());
  });

  it("names what redirections write and read", () => {
    const { writes, reads } = readScript("a > 'b c' 2>> d/e < f; (g >| h) &> $i; j <<< k > /dev/null 2>&1");
    expect(writes).toEqual([
      { path: "b c", text: "'b c'" },
      { path: "d/e", text: "d/e" },
      { path: "h", text: "h" },
      { path: undefined, text: "$i" },
    ]);
    expect(reads).toEqual([{ path: "f", text: "f" }]);
  });

  it.each([
    ["many substitutions", `ls ${"$(".repeat(16_000)}`],
    ["many groups", `${"{ ".repeat(16_000)}`],
    ["many commands", "a;".repeat(16_000)],
    ["many pipes", `a ${"| b ".repeat(8000)}`],
    ["a long printf", `printf '%${"0".repeat(32_000)}!' | cat`],
    ["many comments", "#\n".repeat(16_000)],
    ["many quotes", `ls ${"'a' ".repeat(8000)} | cat`],
    ["many backticks", `ls ${"`".repeat(32_000)}`],
    ["many braces", `ls ${"{a,".repeat(10_000)}`],
    ["many here-documents", "cat <<E\n".repeat(4000)],
  ])("is fast for %s", (_, script) => {
    const before = performance.now();
    try {
      readScript(script);
    } catch (error) {
      expect(error).toBeInstanceOf(ShellError);
    }
    expect(performance.now() - before).toBeLessThan(1500);
  });

  describeSandbox("beside bash", () => {
    it("reads scripts as bash runs them; scripts.verify.test.ts runs all", { timeout: 60_000 }, async () => {
      const recorded = await recordScripts(
        judgedScripts.filter((_, index) => index % 8 === 0),
        "required",
      );
      expect(recorded.length).toBeGreaterThan(10);
      expect(recorded.flatMap((one) => disagreement(one, true) ?? [])).toEqual([]);
    });
  });
});
