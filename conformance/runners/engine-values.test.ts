/** Objects created under a schema: the result of decoding and the validation errors. */
import { topicsOf } from "./engine/case.ts";
import { testTopics } from "./engine/run.ts";
import { answerValue } from "./engine/subject.ts";

testTopics("engine-values", topicsOf("values"), answerValue);
