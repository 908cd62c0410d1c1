import { type I18n, i18n } from "@lingui/core";
import { TransNoContext, type TransProps } from "@lingui/react/server";
import { type ReactNode, useSyncExternalStore } from "react";
import { type UiText, type UiTextOrString, isUiText, translate } from "../../domain/ui-text.ts";

export type { UiTextOrString };

// The whole page has one language, so that its views need no provider.
const subscribe = (listener: () => void) => i18n.on("change", listener);
const read = () => i18n.locale;

/** The runtime of the macro of the same name. */
export function useLingui(): { i18n: I18n; _: I18n["_"] } {
  useSyncExternalStore(subscribe, read);
  return { i18n, _: i18n._.bind(i18n) };
}

/** The runtime of the macro of the same name. */
export function Trans(props: TransProps) {
  useSyncExternalStore(subscribe, read);
  return <TransNoContext {...props} lingui={{ i18n }} />;
}

type Translate = { (text: UiTextOrString): string; (text: UiTextOrString | null): string | null };

/** Returns a function that translates texts of charts and `domain/`; null stays null. */
export function useTranslate(): Translate {
  useSyncExternalStore(subscribe, read);
  return ((text: UiTextOrString | null) => (text === null ? null : translate(text, i18n))) as Translate;
}

/** Renders a text of a chart or `domain/` where a hook cannot be called. */
export const Translated = ({ text }: { text: UiTextOrString }): string => useTranslate()(text);

/** What a component accepts as content: nodes, or a text to translate. */
export type TextNode = ReactNode | UiText;

/** Returns a function that translates a text and returns other nodes unchanged. */
export function useTranslateNode(): (node: TextNode) => ReactNode {
  const translateText = useTranslate();
  return (node) => (isUiText(node) ? translateText(node) : node);
}
