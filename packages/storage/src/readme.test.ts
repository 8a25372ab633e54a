import { optionTables, readmeExamples } from "@tooling/readme";

readmeExamples(new URL("../README.md", import.meta.url));
for (const page of ["inbox", "leases", "search", "secrets", "wakes", "writing-a-store"])
  readmeExamples(new URL(`../docs/${page}.md`, import.meta.url));

const methods = {
  append: "AppendOptions",
  load: "LoadOptions",
  conversations: "ConversationsOptions",
  search: "SearchOptions",
  follow: "FollowOptions",
  lease: "LeaseOptions",
  saveProfile: "SaveProfileOptions",
};

optionTables(new URL("../", import.meta.url), {
  "README.md": Object.entries(methods).map(([of, type]) => ({ under: "Options", of, type, from: "src/store.ts" })),
});
