/** The tool that writes the whole plan. */
export const planTool = "plan";
/** The tool that shows a plan to a person, who accepts it or not. */
export const presentTool = "present_plan";
