import { postgresStore } from "../../src/index.ts";
import { said } from "./samples.ts";

// Arguments: the address of the database, the writer's name, how many events it appends to each of two conversations.
const [url = "", name = "", count = "0"] = process.argv.slice(2);
const store = await postgresStore({ url, max: 2, retryFor: 60_000 });
for (let number = 1; number <= Number(count); number++) {
  await Promise.all([
    store.append({ conversation: "shared" }, [said(`${name} ${number}`)]),
    store.append({ conversation: name }, [said(`${name} ${number}`)], { expected: number - 1 }),
  ]);
}
await store.close();
