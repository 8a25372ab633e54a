export { contentPolicy } from "./content-policy.ts";
export { pageHtml, pagePolicy } from "./page-html.ts";
