import { optionTables, readmeExamples } from "@tooling/readme";

readmeExamples(new URL("../README.md", import.meta.url));
for (const page of ["after-a-crash", "approval", "hooks", "results", "running-calls"])
  readmeExamples(new URL(`../docs/${page}.md`, import.meta.url));

optionTables(new URL("../", import.meta.url), {
  "README.md": [
    { under: "Defining a tool", type: "ToolDefinition", from: "src/define-tool.ts" },
    { under: "Running calls", type: "ExecutorOptions", from: "src/executor-options.ts" },
    { under: "The context of a body", type: "ToolContext", from: "src/tool.ts" },
  ],
  "docs/approval.md": [{ under: "Rules", type: "Approval", from: "src/approval/approval.ts" }],
  "docs/running-calls.md": [
    { under: "Options of a batch", type: "BatchOptions", from: "src/executor.ts" },
    { under: "The context of a batch", type: "BatchContext", from: "src/executor.ts" },
  ],
});
