import { preset } from "@tooling/tsup";

// Frameworks that render on a server read the first line, and load the hooks in the browser as well. To shake the tree would remove it.
export default { ...preset(), treeshake: false, banner: { js: '"use client";' } };
