import { preset } from "@tooling/tsup";

export default preset({ index: "src/index.ts", adapter: "src/adapter.ts", testkit: "src/testkit/index.ts" });
