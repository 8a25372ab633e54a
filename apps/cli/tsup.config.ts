import { preset } from "@tooling/tsup";

export default preset({ main: "src/main.ts" }, ["esm"]);
