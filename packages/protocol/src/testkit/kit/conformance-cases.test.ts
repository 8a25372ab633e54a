import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { conformanceCases, type Kit, runConformance } from "./conformance-cases.ts";
import { ConformanceError } from "./conformance-error.ts";
import { checkNeeds, type Declarations, declareCases } from "./declarations.ts";

interface Harness {
  declare?: Declarations;
  add(a: number, b: number): number;
  divide?(a: number, b: number): number;
}

interface Case {
  name: string;
  needs?: readonly "divide"[];
  check(harness: Harness): void;
}

/** The kit of a small contract: a calculator. */
const kit: Kit<Case, Harness> = {
  subject: "calculator",
  cases: [
    { name: "adds", check: ({ add }) => expectNumber(add(1, 2), 3) },
    { name: "divides", needs: ["divide"], check: ({ divide }) => expectNumber(divide?.(6, 3), 2) },
    { name: "toString", check: () => {} },
  ],
  async run({ needs, check }, harness) {
    checkNeeds(needs, (need) => (harness[need] ? undefined : `The calculator has no \`${need}\`.`));
    check(harness);
  },
};

function expectNumber(actual: unknown, expected: number): void {
  if (actual !== expected) throw new Error(`expected ${expected}, got ${actual}.`);
}

const add = (a: number, b: number) => a + b;
const divide = (a: number, b: number) => a / b;
const thrownBy = (run: Promise<unknown>) =>
  run.then(
    () => expect.unreachable("It did not reject."),
    (error: unknown) => (error instanceof ConformanceError ? error : expect.unreachable(String(error))),
  );

describe("runConformance", () => {
  it("reports every case, and counts them in the last line of the table", async () => {
    const { name, cases, table } = await runConformance(kit, "mine", () => ({ add, divide }));
    expect([name, ...cases.map(({ status }) => status)]).toEqual(["mine", "passed", "passed", "passed", "passed"]);
    expect(cases.every(({ duration }) => duration >= 0)).toBe(true);
    expect(table.split("\n")).toEqual([
      "mine",
      "  passed    only cases of the kit are declared",
      "  passed    adds",
      "  passed    divides",
      "  passed    toString",
      "mine: 4 passed",
    ]);
  });

  it("does not run a declared case, and shows its reason", async () => {
    const declare = { divides: "it only adds" };
    const { table } = await runConformance(kit, "adder", () => ({ add, declare }));
    expect(table).toContain("  declared  divides: it only adds\n");
    expect(table).toMatch(/adder: 3 passed, 1 declared$/);
  });

  it("throws an error that lists the failed cases, with the report of all", async () => {
    const error = await thrownBy(runConformance(kit, "wrong", async () => ({ add: () => 0 })));
    expect(error.code).toBe("not_conformant");
    expect(error.message).toBe(
      'The calculator "wrong" fails 2 of 4 cases:\n- adds: expected 3, got 0.\n' +
        "- divides: The calculator has no `divide`. If that is so, declare the case.",
    );
    expect(error.report.table).toMatch(/wrong: 2 passed, 2 failed$/);
  });

  it.each([
    ["a case that the kit does not have", { multiplies: "no" }, 'The kit has no case "multiplies".'],
    ["no reason", { divides: " " }, 'The declared case "divides" needs a reason.'],
  ])("fails a declaration with %s", async (_, declare, problem) => {
    const error = await thrownBy(runConformance(kit, "mine", () => ({ add, divide, declare })));
    expect(error.message).toContain(`- only cases of the kit are declared: ${problem}`);
  });

  it("fails a case whose harness cannot be made", async () => {
    const make = () => Promise.reject(new Error("No luck."));
    expect((await thrownBy(runConformance(kit, "mine", make))).message).toContain("- adds: No luck.");
  });

  it("asks for a new harness for every case", async () => {
    let made = 0;
    await runConformance(kit, "mine", () => {
      made++;
      return { add, divide };
    });
    expect(made).toBe(kit.cases.length + 1);
  });

  it("does not print the report with an error that is not caught", () => {
    const script = `
      import { runConformance } from ${JSON.stringify(new URL("conformance-cases.ts", import.meta.url).href)};
      const cases = [{ name: "works" }, { name: "fails" }];
      const run = async ({ name }) => { if (name === "fails") throw new Error("It failed."); };
      await runConformance({ subject: "thing", cases, run }, "mine", () => ({}));
    `;
    const { stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain("- fails: It failed.");
    expect(stderr).not.toMatch(/passed|duration/);
  });
});

describe("conformanceCases", () => {
  const runOf = (name: string, harness: Harness) =>
    conformanceCases(kit, "mine", () => harness)
      .find((one) => one.name === name)
      ?.run() ?? expect.unreachable(name);

  it("gives the declarations' case and then each case of the kit", () => {
    const names = conformanceCases(kit, "mine", () => ({ add })).map(({ name }) => name);
    expect(names).toEqual(["only cases of the kit are declared", "adds", "divides", "toString"]);
  });

  it("passes a case that the implementation keeps, and one that is declared", async () => {
    await runOf("adds", { add });
    await runOf("divides", { add, declare: { divides: "it only adds" } });
  });

  it("rejects with the implementation's name, the reason, the cause and the report of the one case", async () => {
    const error = await thrownBy(runOf("adds", { add: () => 0 }));
    expect(error.message).toBe("mine: expected 3, got 0.");
    expect((error.cause as Error).message).toBe("expected 3, got 0.");
    expect(error.report.table).toBe("mine\n  failed    adds: expected 3, got 0.\nmine: 1 failed");
  });
});

describe("declareCases", () => {
  it.each<[string, Parameters<typeof declareCases<Case>>[1]]>([
    ["have a need", "divide"],
    ["a filter selects", ({ name }) => name === "divides"],
  ])("declares the cases that %s, all with one reason", (_, which) => {
    expect(declareCases(kit.cases, which, "it only adds")).toEqual({ divides: "it only adds" });
  });
});
