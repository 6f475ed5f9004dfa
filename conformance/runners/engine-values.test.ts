/** Objects created under a schema: what decoding makes of them and what is wrong with them. */
import { topicsOf } from "./engine/case.ts";
import { testTopics } from "./engine/run.ts";
import { answerValue } from "./engine/subject.ts";

testTopics("engine-values", topicsOf("values"), answerValue);
