import { expect, onTestFinished, test } from "vitest";
import { closeRevisionPage, openRevisionPage, RevisionSlot, revisionReader } from "./revision-page.ts";

function openPage(slots: number): number {
  const fd = openRevisionPage(slots);
  onTestFinished(() => closeRevisionPage(fd));
  return fd;
}

test("the newest revision of all slots is read, in whatever slot it is", () => {
  const fd = openPage(3);
  const [one, two] = [new RevisionSlot(fd, 0), new RevisionSlot(fd, 2)];
  const read = revisionReader(fd, 3);
  expect(read()).toBe(0);
  one.publish(5);
  two.publish(2 ** 40);
  expect(read()).toBe(2 ** 40);
  one.publish(2 ** 40 + 1);
  expect(read()).toBe(2 ** 40 + 1);
});

test("a late publication of an older revision hides nothing; a reset does", () => {
  const fd = openPage(1);
  const slot = new RevisionSlot(fd, 0);
  const read = revisionReader(fd, 1);
  slot.publish(9);
  slot.publish(7);
  expect(read()).toBe(9);
  slot.reset(3);
  expect(read()).toBe(3);
});
