import { postgresStore } from "@cogency/storage-postgres";
import { createDatabase, dumpSchema } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { expect, it, onTestFinished } from "vitest";
import { forget, memory, readProfile, remember } from "../src/index.ts";
import { agentOf, answering, choosing, say, sentences, ticking } from "./support/person.ts";

describePostgres("a profile in PostgreSQL", () => {
  it("is learned, shown and forgotten: no row has a byte of it", async () => {
    const { url, drop } = await createDatabase(postgresUrl());
    onTestFinished(drop);
    const store = await postgresStore({ url });
    onTestFinished(() => store.close());
    const clock = ticking();
    const own = memory({ store, provider: choosing(sentences), every: 1, clock });
    const provider = answering();
    const agent = agentOf(store, { clock, provider, recordRequests: true }).use(own.capability);
    await remember(store, undefined, { words: "Never touch the rhubarb." }, { clock });
    await say(agent, "said", "I like parsley.");
    await own.settled();
    await say(agent, "later", "Go.");
    expect(provider.requests.at(-1)?.system).toMatch(/rhubarb.*\n.*parsley/);
    const { memories } = (await readProfile(store, undefined)).profile;
    await forget(
      store,
      undefined,
      memories.map(({ id }) => id),
    );
    await store.delete({ conversation: "said" });
    await say(agent, "after", "Go on.");
    expect(provider.requests.at(-1)?.system).not.toMatch(/rhubarb|parsley/);
    const other = await postgresStore({ url });
    onTestFinished(() => other.close());
    expect((await readProfile(other, undefined)).profile.memories).toEqual([]);
    expect(await other.search("rhubarb parsley", { user: undefined })).toEqual([]);
    expect(dumpSchema(url, "cogency")).not.toMatch(/rhubarb|parsley/);
  });
});
