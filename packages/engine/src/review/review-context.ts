/** What the steps of one review share. */
import type { StatusError } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import type { ClusterView } from "./cluster-view.ts";
import type { WriteContext } from "./kind.ts";
import type { OutcomeRecorder } from "./outcome.ts";
import type { Write } from "./write.ts";

export interface ReviewContext {
  readonly cluster: ClusterView;
  readonly recorder: OutcomeRecorder;
}

export interface Reviewed {
  /** Undefined if nothing stays of the object. */
  readonly object: JsonObject | undefined;
  readonly isCreated: boolean;
}

/** What the kind's own functions get to see of a write. */
export function writeContext(write: Write, { cluster, recorder }: ReviewContext): WriteContext {
  const { namespace, fieldValidation, user, isDryRun } = write;
  const { system, metrics, setsPluginValues = false } = cluster;
  const { warn, onRatcheting } = recorder;
  const refuse = write.continuesWhenInvalid === true ? recorder.noteRefusal : throwRefusal;
  const request = { namespace, fieldValidation, user, isDryRun };
  return { ...request, warn, refuse, system, metrics, onRatcheting, setsPluginValues };
}

function throwRefusal(refusal: StatusError): never {
  throw refusal;
}
