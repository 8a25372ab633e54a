export { type ChoiceStep, type NativeDriverOptions, nativeDriver, type ToolChoice } from "./drivers/native-driver.ts";
