import { preset } from "@tooling/tsup";

export default preset({ index: "src/index.ts", "lease-owner": "src/lease-owner.ts" });
