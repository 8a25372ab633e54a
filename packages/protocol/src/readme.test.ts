import { readmeExamples } from "@tooling/readme";

readmeExamples(new URL("../README.md", import.meta.url));
readmeExamples(new URL("../docs/reading.md", import.meta.url));
readmeExamples(new URL("../docs/writing.md", import.meta.url));
readmeExamples(new URL("../docs/parts.md", import.meta.url));
readmeExamples(new URL("../docs/implementing.md", import.meta.url));
