import { preset } from "@tooling/tsup";

export default preset({
  index: "src/index.ts",
  bridge: "src/bridge/index.ts",
  openai: "src/openai/index.ts",
  node: "src/node/index.ts",
});
