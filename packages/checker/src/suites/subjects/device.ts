/** A device of a ResourceSlice, put to the selectors of a device class or a claim: whether all of them match. */
import { matchDevice } from "@portcullis/engine/internal/builtin/validate/resource/device-match";
import { asVersion } from "@portcullis/engine/internal/value/server-version";
import type { Observation } from "../expectation.ts";
import type { DeviceSubject } from "../suite.ts";
import type { SuiteContext } from "./context.ts";

export function observeDevice({ driver, device, selectors }: DeviceSubject, { engine }: SuiteContext): Observation {
  return asVersion(engine.version, () => {
    let cost = 0;
    for (const expression of selectors) {
      const result = matchDevice(expression, driver, device);
      cost += result.cost;
      if (result.error !== undefined) {
        return { outcomes: ["error"], why: result.error, texts: [result.error], warnings: [], cost };
      }
      if (!result.matches) return { outcomes: ["skip"], why: `${expression} is false`, texts: [], warnings: [], cost };
    }
    return { outcomes: ["match"], why: "", texts: [], warnings: [], cost };
  });
}
