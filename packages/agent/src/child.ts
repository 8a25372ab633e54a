export { isChildName } from "./child/child-name.ts";
export {
  type ChildDefinition,
  type ChildEnding,
  childrenInBackground,
  type KnownChild,
  type ParentRun,
  parentRun,
} from "./child/parent-run.ts";
