import { i18n } from "@lingui/core";
import { TransNoContext, type TransProps } from "@lingui/react/server";
import { type ReactNode, useSyncExternalStore } from "react";
import { type UiText, type UiTextOrString, isUiText, translate as translateBy } from "../../domain/ui-text.ts";

export type { UiTextOrString };

const subscribe = (listener: () => void) => i18n.on("change", listener);
const read = () => i18n.locale;

/**
 * Returns the page's language and renders the caller again when it changes. `App` calls it for the whole page, so that views need neither
 * a provider nor a hook. A component in `memo` calls it too: otherwise it would keep its texts.
 */
export const useLocale = (): string => useSyncExternalStore(subscribe, read);

/** The runtime of the macro of the same name. */
export const Trans = (props: TransProps) => <TransNoContext {...props} lingui={{ i18n }} />;

/** What a component accepts as content: nodes, or a text to translate. */
export type TextNode = ReactNode | UiText;

/** Translates a text of a chart or `domain/`; null and other nodes stay as they are. */
export function translate(text: UiTextOrString): string;
export function translate(text: UiTextOrString | null): string | null;
export function translate(node: TextNode): ReactNode;
export function translate(node: TextNode): ReactNode {
  return isUiText(node) ? translateBy(node, i18n) : node;
}
