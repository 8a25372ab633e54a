import { openShop } from "./shop.ts";

// Arguments: the folder, the address of the store, where it is killed. Goes on with every conversation that is due.
const { store, agent } = await openShop(process.argv.slice(2));
for await (const _ of store.watchWakes()) await agent.sweep();
