import { createDatabase, startPostgres } from "@tooling/postgres";
import { crashRound, strikes } from "./crash/crash-rounds.ts";
import { nothingExpected } from "./crash/expected.ts";

// The rounds of crash.verify.test.ts, as many as SOAK_ROUNDS says. Ends with 1 at the first violation.
const rounds = Number(process.env.SOAK_ROUNDS ?? 100);
const server = await startPostgres();
try {
  const { url } = await createDatabase(server.url);
  const expected = nothingExpected();
  const began = Date.now();
  for (let round = 1; round <= rounds; round++) {
    const strike = strikes[round % strikes.length] ?? "writers";
    try {
      await crashRound(server, url, expected, { round, strike });
    } catch (cause) {
      throw new Error(`Round ${round} of ${rounds}, killed: ${strike}`, { cause });
    }
    if (round % 10 === 0 || round === rounds) {
      const seconds = Math.round((Date.now() - began) / 1000);
      console.log(
        `storage-postgres: ${round} of ${rounds} rounds, ${expected.operations} operations, ${seconds} s, sound`,
      );
    }
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await server.stop();
}
