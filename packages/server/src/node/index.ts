export { nodeListener } from "./node-listener.ts";
