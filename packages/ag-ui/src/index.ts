export type { AgUiEvent } from "./ag-ui-event.ts";
export type { AgUiNotice, AgUiQuestion, AgUiState } from "./ag-ui-state.ts";
export { AgUiRun, type AgUiRunOptions } from "./out/ag-ui-run.ts";
