import { readmeExamples } from "@tooling/readme";

readmeExamples(new URL("../README.md", import.meta.url));
for (const page of ["after-a-crash", "approval", "hooks", "results", "running-calls"])
  readmeExamples(new URL(`../docs/${page}.md`, import.meta.url));
