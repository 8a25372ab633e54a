import { readmeExamples } from "@tooling/readme";

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
