export { type AutoOptions, auto } from "./drivers/auto.ts";
