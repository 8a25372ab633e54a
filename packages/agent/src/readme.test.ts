import { optionTables, readmeExamples } from "@tooling/readme";

const page = (name: string) => new URL(`../docs/${name}.md`, import.meta.url);

readmeExamples(new URL("../README.md", import.meta.url));
for (const name of [
  "attachments",
  "budgets",
  "drivers",
  "endings",
  "history",
  "hooks",
  "leases",
  "object",
  "recorded-requests",
  "timeline",
  "tool-search",
  "waiting",
])
  readmeExamples(page(name));

const options = "src/agent-options.ts";

optionTables(new URL("../", import.meta.url), {
  "README.md": [
    { under: "An agent", type: "AgentOptions", from: options },
    { under: "A run", type: "RunOptions", from: options },
    { under: "Recover", type: "RecoverOptions", from: options, beyond: "RunOptions" },
  ],
  "docs/attachments.md": [{ under: "Attachments", type: "AttachmentOptions", from: options }],
  "docs/budgets.md": [{ under: "Budgets", type: "Budget", from: options }],
  "docs/drivers.md": [
    { under: "`auto`", type: "AutoOptions", from: "src/drivers/auto.ts" },
    { under: "`protocolDriver`", type: "ProtocolDriverOptions", from: "src/drivers/protocol-driver.ts" },
    { under: "`nativeDriver`", type: "NativeDriverOptions", from: "src/drivers/native-driver.ts" },
    { under: "`reactDriver`", type: "ReactDriverOptions", from: "src/drivers/react-driver.ts" },
  ],
  "docs/history.md": [
    { under: "`compaction`", type: "CompactionOptions", from: "src/history/compaction.ts" },
    { under: "`agent.fork`", type: "ForkOptions", from: "src/fork.ts" },
  ],
  "docs/leases.md": [{ under: "One writer", type: "AgentLeaseOptions", from: options }],
  "docs/tool-search.md": [{ under: "Many tools", type: "ToolSearchOptions", from: "src/search/tool-search.ts" }],
  "docs/waiting.md": [
    { under: "`agent.send`", type: "SendOptions", from: "src/inbox/send.ts" },
    { under: "`agent.sweep`", type: "SweepOptions", from: "src/inbox/sweep.ts" },
  ],
});
