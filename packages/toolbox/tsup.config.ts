import { preset } from "@tooling/tsup";

// Processes of their own: one reads HTML, one leads out of a sandbox.
export default preset({
  index: "src/index.ts",
  undo: "src/undo.ts",
  "readable-process": "src/web/page/readable-process.ts",
  "bridge-process": "src/sandbox/egress/bridge-process.ts",
});
