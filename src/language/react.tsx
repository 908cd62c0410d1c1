import { type I18n, i18n } from "@lingui/core";
import { TransNoContext, type TransProps } from "@lingui/react/server";
import { type ReactNode, useSyncExternalStore } from "react";
import { type UiText, type UiTextOrString, isUiText, translate } from "../../domain/ui-text.ts";

export type { UiTextOrString };

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

type Translate = { (text: UiTextOrString): string; (text: UiTextOrString | null): string | null };

/** Returns a function that translates texts of charts and `domain/`; it leaves null alone. */
export function useTranslate(): Translate {
  useSyncExternalStore(subscribe, read);
  return ((text: UiTextOrString | null) => (text === null ? null : translate(text, i18n))) as Translate;
}

/** Shows a text of a chart or `domain/` where no hook can be called. */
export const Translated = ({ text }: { text: UiTextOrString }): string => useTranslate()(text);

/** What a component may be given to show: nodes, or a text that it translates. */
export type TextNode = ReactNode | UiText;

/** Returns a function that translates a node that is a text, and leaves other nodes alone. */
export function useTranslateNode(): (node: TextNode) => ReactNode {
  const translateText = useTranslate();
  return (node) => (isUiText(node) ? translateText(node) : node);
}
