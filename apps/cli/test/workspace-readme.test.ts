import { readmeExamples } from "@tooling/readme";

// The app depends on everything that the README at the top shows.
readmeExamples(new URL("../../../README.md", import.meta.url), new URL("../", import.meta.url));
