import { readmeExamples } from "@tooling/readme";

readmeExamples(new URL("../README.md", import.meta.url));
for (const page of ["inbox", "leases", "search", "secrets", "wakes", "writing-a-store"])
  readmeExamples(new URL(`../docs/${page}.md`, import.meta.url));
