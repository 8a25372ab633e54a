import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { driverHarnesses } from "../../test/support/driver-harnesses.ts";
import {
  ConformanceError,
  type Declarations,
  type DriverHarness,
  type DriverReply,
  driverConformance,
  runDriverConformance,
  withoutBatches,
  withoutCalls,
  withoutDeltas,
  withoutNative,
  withoutRefusals,
  withoutTextBesideCalls,
  withoutThinking,
} from "./index.ts";

const json = driverHarnesses.json ?? (() => expect.unreachable("There is no harness."));
const failure = (run: Promise<unknown>) =>
  run.then(
    () => expect.unreachable("It did not reject."),
    (error: unknown) => (error instanceof ConformanceError ? error : expect.unreachable(String(error))),
  );

describe("runDriverConformance", () => {
  it("reports each case once, and sums up in the last line of the table", async () => {
    const { name, cases, table } = await runDriverConformance("json", json);
    expect(name).toBe("json");
    expect(new Set(cases.map((one) => one.name)).size).toBe(cases.length);
    expect(table.split("\n").at(-1)).toBe(`json: ${cases.length} passed`);
  });

  it("throws an error that lists every case that failed, with the report", async () => {
    const error = await failure(
      runDriverConformance("nameless", () => {
        const harness = json();
        return { ...harness, driver: (options) => ({ ...harness.driver(options), name: "" }) };
      }),
    );
    expect(error.message).toMatch(/^The driver "nameless" fails 1 of \d+ cases:\n- a driver says who it is/);
    expect(error.report.table).toMatch(/passed, 1 failed$/);
  });

  it.each<[string, (harness: DriverHarness) => DriverHarness, Declarations]>([
    ["refusals", ({ writeBadly: _, ...harness }) => harness, withoutRefusals],
    [
      "pieces of arguments",
      (harness) => ({ ...harness, driver: () => harness.driver({ callDeltas: false }) }),
      withoutDeltas,
    ],
    [
      "native blocks",
      (harness) => ({ ...harness, driver: (options) => withoutRecords(harness.driver(options)) }),
      withoutNative,
    ],
    [
      "thinking",
      (harness) => ({ ...harness, write: ({ thinking: _, ...reply }) => harness.write(reply) }),
      withoutThinking,
    ],
    [
      "several calls in an answer",
      (harness) => ({
        ...harness,
        ...written(harness, ({ calls, ...reply }) => ({ ...reply, ...(calls && { calls: calls.slice(0, 1) }) })),
      }),
      withoutBatches,
    ],
    [
      "text beside calls",
      (harness) => ({
        ...harness,
        ...written(harness, ({ text, ...reply }) =>
          reply.calls ? reply : { ...reply, ...(text !== undefined && { text }) },
        ),
      }),
      withoutTextBesideCalls,
    ],
    ["calls", (harness) => ({ ...harness, write: ({ calls: _, ...reply }) => harness.write(reply) }), withoutCalls],
  ])("fails a driver without %s, unless the cases that need them are declared", async (_, change, declare) => {
    const { report } = await failure(runDriverConformance("less", () => change(json())));
    const failed = report.cases.filter(({ status }) => status === "failed").map(({ name }) => name);
    expect(failed.filter((name) => !Object.hasOwn(declare, name))).toEqual([]);
    const { table } = await runDriverConformance("less", () => ({ ...change(json()), declare }));
    expect(table.split("\n").at(-1)).toBe(
      `less: ${report.cases.length - Object.keys(declare).length} passed, ${Object.keys(declare).length} declared`,
    );
  });

  it.each([
    ["a name that no case has", { "no such case": "because" }, 'The kit has no case "no such case".'],
    ["no reason", { "text is given as it was written": " " }, "needs a reason"],
  ])("fails a declaration with %s", async (_, declare, problem) => {
    await expect(runDriverConformance("json", () => ({ ...json(), declare }))).rejects.toThrow(problem);
  });
});

describe("driverConformance", () => {
  it("makes each case a test of Node's own runner", () => {
    const file = fileURLToPath(new URL("../../test/support/conformance-by-node.ts", import.meta.url));
    // A child of a test of Node's own takes itself for a part of it.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const options = { encoding: "utf8", env } as const;
    const { status, stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=tap", file], options);
    expect(status, stdout).toBe(0);
    expect(stdout).toContain(`# pass ${driverConformance("native", json).length}\n# fail 0`);
  });
});

/** How a model writes that can write less. */
function written(
  { write, writeBadly }: DriverHarness,
  less: (reply: DriverReply) => DriverReply,
): Partial<DriverHarness> {
  return {
    write: (reply) => write(less(reply)),
    ...(writeBadly && { writeBadly: (reply) => writeBadly(less(reply)) }),
  };
}

function withoutRecords(driver: ReturnType<DriverHarness["driver"]>): ReturnType<DriverHarness["driver"]> {
  return {
    ...driver,
    begin(context) {
      const reading = driver.begin(context);
      return {
        request: reading.request,
        grace: reading.grace,
        get stage() {
          return reading.stage;
        },
        write: (event) => reading.write(event),
        end(ending) {
          const end = reading.end(ending);
          return { ...end, events: end.events.filter(({ type }) => type !== "record") };
        },
      };
    },
  };
}
