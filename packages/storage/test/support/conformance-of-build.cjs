const { memoryStore } = require("@cogency/storage");
const { runStoreConformance, withoutProcesses, withoutReopen } = require("@cogency/storage/testkit");

runStoreConformance("memory", async () => ({ store: memoryStore() }), { ...withoutReopen, ...withoutProcesses }).then(
  ({ table }) => console.log(table),
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
