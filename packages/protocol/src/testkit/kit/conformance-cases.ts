import { ConformanceError } from "./conformance-error.ts";
import { type CaseReport, type ConformanceReport, reportOf } from "./conformance-report.ts";
import { checkDeclarations, type Declarations, declaredReason } from "./declarations.ts";

/**
 * The cases of one contract, for every implementation of it. `Case` has the name of a case and everything else that the
 * kit needs to run it. `Harness` is the object that the author of an implementation gives to the kit.
 */
export interface Kit<Case extends { name: string }, Harness extends { declare?: Declarations }> {
  /** The kind of implementation, for messages: `provider`, `store`. */
  subject: string;
  /** INVARIANT: each has a name of its own. The names are published, because implementations declare cases by name. */
  cases: readonly Case[];
  /**
   * Runs a case that is not declared, and releases what it used. Rejects with a sentence that says what was expected if
   * the implementation breaks the contract.
   */
  run(one: Case, harness: Harness): Promise<void>;
}

/**
 * One case, bound to an implementation, for any test runner: `it(name, run)`. `Done` is `Promise<void>` for a kit whose
 * cases wait for something.
 */
export interface ConformanceCase<Done extends void | Promise<void> = void> {
  name: string;
  /** Fails with a {@link ConformanceError} that says what was expected; does nothing if the case is declared. */
  run(): Done;
}

/** Each case asks for a harness of its own. */
export type MakeHarness<Harness> = () => Harness | Promise<Harness>;

/**
 * The cases of a kit, bound to one implementation. The first one checks the declarations themselves.
 *
 * @param name of the implementation, for the errors
 */
export function conformanceCases<Case extends { name: string }, Harness extends { declare?: Declarations }>(
  kit: Kit<Case, Harness>,
  name: string,
  make: MakeHarness<NoInfer<Harness>>,
): ConformanceCase<Promise<void>>[] {
  return boundCases(kit, make).map((one) => ({
    name: one.name,
    async run() {
      const { report, error } = await runCase(one);
      if (report.status !== "failed") return;
      throw new ConformanceError(`${name}: ${report.reason}`, reportOf(name, [report]), { cause: error });
    },
  }));
}

/**
 * Runs every case of a kit, one after another.
 *
 * @param name of the implementation, for the table
 * @throws ConformanceError `not_conformant`, with the report, if a case failed
 */
export async function runConformance<Case extends { name: string }, Harness extends { declare?: Declarations }>(
  kit: Kit<Case, Harness>,
  name: string,
  make: MakeHarness<NoInfer<Harness>>,
): Promise<ConformanceReport> {
  const cases: CaseReport[] = [];
  for (const one of boundCases(kit, make)) cases.push((await runCase(one)).report);
  const report = reportOf(name, cases);
  const failed = cases.filter(({ status }) => status === "failed");
  if (failed.length === 0) return report;
  const list = failed.map((one) => `- ${one.name}: ${one.reason}`).join("\n");
  throw new ConformanceError(
    `The ${kit.subject} "${name}" fails ${failed.length} of ${cases.length} cases:\n${list}`,
    report,
  );
}

interface BoundCase {
  name: string;
  /** Resolves to the reason if the case is declared. */
  run(): Promise<string | undefined>;
}

function boundCases<Case extends { name: string }, Harness extends { declare?: Declarations }>(
  kit: Kit<Case, Harness>,
  make: MakeHarness<NoInfer<Harness>>,
): BoundCase[] {
  const declarationCase: BoundCase = {
    name: "only cases of the kit are declared",
    async run() {
      checkDeclarations((await make()).declare ?? {}, kit.cases);
      return undefined;
    },
  };
  const cases = kit.cases.map((one) => ({
    name: one.name,
    async run() {
      const harness = await make();
      const reason = declaredReason(harness.declare ?? {}, one.name);
      if (reason === undefined) await kit.run(one, harness);
      return reason;
    },
  }));
  return [declarationCase, ...cases];
}

async function runCase({ name, run }: BoundCase): Promise<{ report: CaseReport; error?: unknown }> {
  const start = performance.now();
  const duration = () => performance.now() - start;
  try {
    const reason = await run();
    if (reason === undefined) return { report: { name, status: "passed", duration: duration() } };
    return { report: { name, status: "declared", reason, duration: duration() } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { report: { name, status: "failed", reason, duration: duration() }, error };
  }
}
