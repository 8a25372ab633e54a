/** What reads skills and gives them to an agent: the build puts all of it into one file, which a run with skills loads. */
export { skills } from "@cogency/skills";
export { readSkills } from "@cogency/skills/node";
