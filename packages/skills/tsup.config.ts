import { preset } from "@tooling/tsup";

export default preset({
  index: "src/index.ts",
  commands: "src/commands/index.ts",
  "front-matter": "src/front-matter/index.ts",
  node: "src/node/index.ts",
});
