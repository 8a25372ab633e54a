import { preset } from "@tooling/tsup";

export default preset({ index: "src/index.ts", host: "src/host.ts", node: "src/node/index.ts" });
