/** CRDs created and updated: errors, warnings, and the estimated cost of every rule. */
import { topicsOf } from "./engine/case.ts";
import { answerDefinition } from "./engine/definitions.ts";
import { testTopics } from "./engine/run.ts";

testTopics("engine-definitions", topicsOf("definitions"), answerDefinition);
