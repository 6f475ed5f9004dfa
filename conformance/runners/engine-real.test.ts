/** CRDs of published projects: accepted with the same warnings and the same cost for every rule. */

import { answerDefinition } from "./engine/definitions.ts";
import { readReal } from "./engine/real.ts";
import { testCases } from "./engine/run.ts";

testCases("engine-real", new Map([["real", readReal]]), answerDefinition);
