import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { describe, expect, it } from "vitest";
import { drill } from "./kills/drill.ts";

/** `KILL_SEED` moves the marks; `node test/kills/soak.ts` takes all of them. */
const seed = Number(process.env.KILL_SEED ?? 1);

/** Marks of the task, which passes about 118: each stage of the first agent and of those at depth 1, 2 and 3. */
const marks = Array.from({ length: 12 }, (_, index) => 1 + index * 9 + ((seed * 5) % 9));

describe("a process that is killed while agents of its agents work", () => {
  it.each(marks)(
    "at mark %i leaves what another one goes on with: no agent begins anew, nothing is paid twice",
    async (mark) => {
      expect(await drill("deep", [mark])).toMatchObject({ struck: [expect.any(String)] });
    },
  );

  it.each([
    [30, 10],
    [60, 25],
    [90, 40],
  ])("at mark %i, and the next one at mark %i, leaves the same", async (first, second) => {
    expect((await drill("deep", [first, second]))?.struck).toHaveLength(2);
  });
});

describe("a process that is killed while twenty agents work at once", () => {
  // The task passes about 360 marks.
  it.each([20, 80, 140, 200, 260, 320].map((mark) => mark + seed))("at mark %i leaves the same", async (mark) => {
    expect(await drill("wide", [mark])).toMatchObject({ struck: [expect.any(String)] });
  });
});

describePostgres("a process that is killed, with a database that machines share,", () => {
  it.each([25, 55, 85])("at mark %i leaves the same", async (mark) => {
    const database = await createDatabase(postgresUrl());
    try {
      expect(await drill("deep", [mark], database.url)).toMatchObject({ struck: [expect.any(String)] });
    } finally {
      await database.drop();
    }
  });
});
