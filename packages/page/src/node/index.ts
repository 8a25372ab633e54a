export { pageHtml, pagePolicy } from "./page-html.ts";
