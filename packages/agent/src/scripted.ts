export { type ScriptContext, type ScriptedDriver, type ScriptStep, scriptedDriver } from "./drivers/scripted-driver.ts";
