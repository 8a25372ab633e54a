const { memoryStore } = require("@cogency/storage");
const { runStoreConformance } = require("@cogency/storage/testkit");

// The first argument: the declarations, as JSON.
runStoreConformance("memory", async () => ({ store: memoryStore() }), JSON.parse(process.argv[2])).then(
  ({ table }) => console.log(table),
  (error) => {
    console.error(error);
    process.exitCode = 1;
  },
);
