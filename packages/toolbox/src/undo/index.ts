export type { ChangeKeeper } from "./change-keeper.ts";
export type { UndoKey } from "./copy-folder.ts";
export type { FileState } from "./file-state.ts";
export type { ChangedFile, KeptChange, RanCommand, UndoEntry } from "./history.ts";
export { openUndo, type Undo, type UndoOptions, type UndoPoint, type UndoResult } from "./open-undo.ts";
export type { LeftFile, PlannedFile, UndoPlan } from "./plan.ts";
export type { UndoLimits } from "./room.ts";
