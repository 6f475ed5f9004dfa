/** Updates of objects and of their status: errors, and what ratcheting turns into warnings. */
import { topicsOf } from "./engine/case.ts";
import { testTopics } from "./engine/run.ts";
import { answerUpdate } from "./engine/subject.ts";

testTopics("engine-updates", topicsOf("updates"), answerUpdate);
