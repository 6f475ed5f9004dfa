/** Upstream's messages in the status of a flow schema. */
import { quote } from "@portcullis/gostd/quote";

export const levelFound = (name: string): string =>
  `This FlowSchema references the PriorityLevelConfiguration object named ${quote(name)} and it exists`;
export const levelNotFound = (name: string): string =>
  `This FlowSchema references the PriorityLevelConfiguration object named ${quote(name)} but there is no such object`;
