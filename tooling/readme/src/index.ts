export { readmeExamples } from "./readme-examples.ts";
