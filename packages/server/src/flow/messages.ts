/** Upstream's messages about flow control. */
import { quote } from "@portcullis/gostd/quote";

export const levelFound = (name: string): string =>
  `This FlowSchema references the PriorityLevelConfiguration object named ${quote(name)} and it exists`;
export const levelNotFound = (name: string): string =>
  `This FlowSchema references the PriorityLevelConfiguration object named ${quote(name)} but there is no such object`;
export const tooManyRequests = (): string => "Too many requests, please try again later.\n";
