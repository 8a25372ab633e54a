export { isMemoryError, MemoryError, type MemoryErrorCode } from "./errors.ts";
export type { Learned } from "./learn/learn.ts";
export { type AgentMemory, type MemoryOptions, memory } from "./memory.ts";
export {
  type EditedMemory,
  editProfile,
  forget,
  forgetAll,
  type ProfileChangeOptions,
  remember,
  type TypedMemory,
} from "./profile/change-profile.ts";
export { type Memory, type MemoryTopic, memoryTopics, type Profile, profileBounds } from "./profile/profile.ts";
export { type KeptProfile, readProfile } from "./profile/read-profile.ts";
