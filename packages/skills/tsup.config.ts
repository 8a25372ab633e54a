import { preset } from "@tooling/tsup";

export default preset({ index: "src/index.ts", format: "src/format.ts", node: "src/node/index.ts" });
