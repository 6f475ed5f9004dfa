/** Times as metav1.Time and MicroTime write them: UTC, and no finer than they keep. */
import { formatRfc3339, type Instant } from "@portcullis/gostd/time";

export function formatTime(time: Instant, digits: 0 | 6): string {
  const text = formatRfc3339(time.seconds);
  if (digits === 0) return text;
  const micros = String(Math.trunc(time.nanos / 1000)).padStart(6, "0");
  return text.replace(/Z$/, `.${micros}Z`);
}
