export { independentServer, requestOf, weatherTools } from "./independent-server.ts";
export { independentServerCases } from "./independent-server-cases.ts";
export { lightCases } from "./light-cases.ts";
