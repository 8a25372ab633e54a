export type { AgUiEvent } from "./ag-ui-event.ts";
export type { AgUiOptions } from "./ag-ui-options.ts";
export type { AgUiNotice, AgUiQuestion, AgUiState } from "./ag-ui-state.ts";
export { createAgUiHandler } from "./http/create-ag-ui-handler.ts";
export { AgUiRun, type AgUiRunOptions } from "./out/ag-ui-run.ts";
export type { ClientMessage, ClientView } from "./out/client-view.ts";
