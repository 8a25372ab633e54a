import { optionTables, readmeExamples } from "@tooling/readme";

readmeExamples(new URL("../README.md", import.meta.url));
for (const page of ["files", "sandbox", "shell", "web", "recall", "undo"])
  readmeExamples(new URL(`../docs/${page}.md`, import.meta.url));

optionTables(new URL("../", import.meta.url), {
  "README.md": [{ under: "The toolbox", type: "ToolboxOptions", from: "src/toolbox.ts" }],
  "docs/shell.md": [
    { under: "Options", type: "ShellOptions", from: "src/shell/shell-options.ts" },
    { under: "Rules: which commands need no question", type: "ShellRuleOptions", from: "src/shell/shell-rule.ts" },
  ],
  "docs/undo.md": [{ under: "Options", type: "UndoOptions", from: "src/undo/open-undo.ts" }],
  "docs/web.md": [
    { under: "search", type: "BraveSearchOptions", from: "src/web/search/brave-search.ts" },
    { under: "The web client", type: "WebOptions", from: "src/web/web-client.ts" },
  ],
});
