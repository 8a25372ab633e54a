import { preset } from "@tooling/tsup";

export default preset({
  index: "src/index.ts",
  grammar: "src/grammar/index.ts",
  host: "src/host.ts",
  options: "src/options/index.ts",
  parts: "src/parts/index.ts",
  testkit: "src/testkit/index.ts",
  why: "src/why/index.ts",
});
