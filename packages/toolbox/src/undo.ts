export type { ChangeKeeper, ChangingCall, Keeping, NewContent, Watch } from "./undo/change-keeper.ts";
export type { UndoKey } from "./undo/copy-folder.ts";
export type { FileChange } from "./undo/file-changes.ts";
export type { FileState, FolderState, KeptFileState, LinkState } from "./undo/file-state.ts";
export type { ChangedFile, KeptChange, RanCommand, UndoEntry } from "./undo/history.ts";
export { openUndo, type Undo, type UndoChanges, type UndoResult } from "./undo/open-undo.ts";
export type { LeftFile, PlannedFile, UndoPlan } from "./undo/plan.ts";
export type { UndoLimits, UndoOptions, UndoPoint } from "./undo/undo-options.ts";
