import { preset } from "@tooling/tsup";

export default preset();
