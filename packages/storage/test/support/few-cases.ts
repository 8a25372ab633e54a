import { declareCases } from "@cogency/protocol/testkit";
import { allCases } from "../../src/testkit/cases/all-cases.ts";
import { withoutProcesses, withoutReopen } from "../../src/testkit/index.ts";

const others = declareCases(
  allCases,
  (one) => allCases.indexOf(one) % 10 !== 0 && !/profile/i.test(one.name),
  "the tests of memoryStore run it",
);

/**
 * Declares, for memoryStore, all but the cases of profiles and a few of every other kind: enough for tests of the reports
 * and of other runners. memory-store.test.ts runs every case of the source, and the README's example every case of the build.
 */
export const fewCases = { ...others, ...withoutReopen, ...withoutProcesses };
