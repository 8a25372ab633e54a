import { preset } from "@tooling/tsup";

export default preset({
  index: "src/index.ts",
  definition: "src/definition/index.ts",
  node: "src/node/index.ts",
});
