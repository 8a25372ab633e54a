import { preset } from "@tooling/tsup";

export default preset({ index: "src/index.ts", node: "src/node/index.ts" });
