import { readmeExamples } from "@tooling/readme";

readmeExamples(new URL("../README.md", import.meta.url));
for (const page of ["files", "sandbox", "shell", "web", "recall", "undo"])
  readmeExamples(new URL(`../docs/${page}.md`, import.meta.url));
