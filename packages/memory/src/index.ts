export { type Memory, type MemoryTopic, type Profile, profileBounds } from "./profile.ts";
