import { readmeExamples } from "@tooling/readme";

readmeExamples(new URL("../README.md", import.meta.url));
readmeExamples(new URL("../docs/sandbox.md", import.meta.url));
