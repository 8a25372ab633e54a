import { readmeExamples } from "@tooling/readme";

readmeExamples(new URL("../README.md", import.meta.url));
readmeExamples(new URL("../docs/files.md", import.meta.url));
readmeExamples(new URL("../docs/sandbox.md", import.meta.url));
readmeExamples(new URL("../docs/shell.md", import.meta.url));
readmeExamples(new URL("../docs/web.md", import.meta.url));
readmeExamples(new URL("../docs/recall.md", import.meta.url));
readmeExamples(new URL("../docs/undo.md", import.meta.url));
