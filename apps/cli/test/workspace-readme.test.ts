import { readmeExamples } from "@tooling/readme";

// The top-level README is tested here, because the app depends on every package that it shows.
readmeExamples(new URL("../../../README.md", import.meta.url), new URL("../", import.meta.url));
