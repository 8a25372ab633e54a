import { preset } from "@tooling/tsup";
import { bundlePage } from "./bundle-page.ts";

export default { ...preset({ index: "src/index.ts", node: "src/node/index.ts" }), onSuccess: bundlePage };
