export { keyRingFile } from "./key-ring-file.ts";
