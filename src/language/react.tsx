import { type I18n, i18n } from "@lingui/core";
import { TransNoContext, type TransProps } from "@lingui/react/server";
import { useSyncExternalStore } from "react";

// The whole page has one language, so that its views need no provider.
const subscribe = (listener: () => void) => i18n.on("change", listener);
const read = () => i18n.locale;

/** What the macro of the same name calls. */
export function useLingui(): { i18n: I18n; _: I18n["_"] } {
  useSyncExternalStore(subscribe, read);
  return { i18n, _: i18n._.bind(i18n) };
}

/** What the macro of the same name draws. */
export function Trans(props: TransProps) {
  useSyncExternalStore(subscribe, read);
  return <TransNoContext {...props} lingui={{ i18n }} />;
}
