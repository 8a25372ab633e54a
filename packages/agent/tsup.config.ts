import { preset } from "@tooling/tsup";

export default preset({
  index: "src/index.ts",
  native: "src/native.ts",
  auto: "src/auto.ts",
  child: "src/child.ts",
  driver: "src/driver.ts",
  failure: "src/failure.ts",
  hooks: "src/hooks.ts",
  history: "src/history.ts",
  react: "src/react.ts",
  scripted: "src/scripted.ts",
  "tool-search": "src/tool-search.ts",
  testkit: "src/testkit/index.ts",
});
