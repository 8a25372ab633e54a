import { preset } from "@tooling/tsup";

// The second one is started as a process of its own: it reads HTML.
export default preset({ index: "src/index.ts", "readable-process": "src/web/readable-process.ts" });
