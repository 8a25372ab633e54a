import { preset } from "@tooling/tsup";
import { bundleFile } from "./bundle-file.ts";

export default { ...preset(), onSuccess: bundleFile };
