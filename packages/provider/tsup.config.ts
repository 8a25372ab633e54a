import { preset } from "@tooling/tsup";

export default preset({ index: "src/index.ts", http: "src/http/index.ts", testkit: "src/testkit/index.ts" });
