import { once } from "node:events";
import { sqliteStore } from "../../src/index.ts";
import { said } from "./samples.ts";

// Arguments: the path of the database, the writer's name, how many events it appends to each of two conversations.
const [path = "", name = "", count = "0"] = process.argv.slice(2);

// All writers begin at one word, so that they meet in creating the database too.
process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdin.destroy();

const store = await sqliteStore({ path });
const lease = await store.lease({ conversation: name }, { owner: name, ttl: 600_000 });
for (let index = 1; index <= Number(count); index++) {
  await store.append({ conversation: "shared" }, [said(`${name} ${index}`)]);
  await store.append({ conversation: name }, [said(`${name} ${index}`)], { expected: index - 1, lease });
  if (index % 10 === 0) {
    await store.saveProfile(name, { index });
    const found = await store.search(`${name} ${index}`, { user: undefined, limit: Number.POSITIVE_INFINITY });
    const own = found.filter(({ conversation }) => conversation === name);
    if (own.length !== index) throw new Error(`${name} found ${own.length} of its ${index} events.`);
  }
}
await lease.release();
await store.close();
