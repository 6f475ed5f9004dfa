import { expect, test } from "vitest";
import { selectPlugins } from "./plugin-names.ts";

test("plugins run by default, when enabled, and unless disabled", () => {
  const isOn = selectPlugins({ enable: ["AlwaysPullImages"], disable: ["LimitRanger"] });
  const names = ["PodSecurity", "AlwaysPullImages", "LimitRanger", "AlwaysDeny"];
  expect(names.map(isOn)).toEqual([true, true, false, false]);
});

test.each([
  { selection: { enable: ["Foo"] }, message: 'enable-admission-plugins plugin "Foo" is unknown' },
  { selection: { disable: ["Foo"] }, message: 'disable-admission-plugins plugin "Foo" is unknown' },
  {
    selection: { enable: ["NamespaceLifecycle"], disable: ["NamespaceLifecycle"] },
    message: "[NamespaceLifecycle] in enable-admission-plugins and disable-admission-plugins overlapped",
  },
  {
    selection: { enable: ["ImagePolicyWebhook"] },
    message: 'the admission plugin "ImagePolicyWebhook" is not supported',
  },
])("$message", ({ selection, message }) => {
  expect(() => selectPlugins(selection)).toThrow(message);
});
