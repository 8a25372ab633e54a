import { preset } from "@tooling/tsup";

// Processes of their own: one reads HTML, one leads out of a sandbox, one leads into its network.
export default preset({
  index: "src/index.ts",
  files: "src/files.ts",
  shell: "src/shell.ts",
  web: "src/web.ts",
  undo: "src/undo.ts",
  "readable-process": "src/web/page/readable-process.ts",
  "bridge-process": "src/sandbox/egress/bridge-process.ts",
  "forward-process": "src/sandbox/network/forward-process.ts",
});
