import { t } from "@lingui/core/macro";
import { ArrowLeft, MessagesSquare } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { IconButton } from "../../ui/Button.tsx";
import css from "./InboxView.module.css";

export type InboxViewProps = {
  list: ReactNode;
  /** The open conversation and its panel; null if none is open. */
  conversation: ReactNode;
  panel: ReactNode;
  isPanelOpen: boolean;
  areSingleKeysOn: boolean;
  onBack: () => void;
};

/** List, conversation and the lead's panel: side by side if there is room, otherwise one at a time. */
export function InboxView({ list, conversation, panel, isPanelOpen, areSingleKeysOn, onBack }: InboxViewProps) {
  const place = conversation === null ? "list" : isPanelOpen ? "panel" : "conversation";
  const screen = useRef<HTMLDivElement>(null);
  useEffect(() => followVisibleHeight(screen.current?.parentElement ?? null), []);
  const wasPanelOpen = useRef(isPanelOpen);
  useEffect(() => {
    if (isPanelOpen === wasPanelOpen.current) return;
    wasPanelOpen.current = isPanelOpen;
    const active = document.activeElement;
    const isLost = active === null || active === document.body || getComputedStyle(active).visibility === "hidden";
    // The focused element is covered by the panel, or was removed with it.
    const next = isPanelOpen ? "aside button" : `.${css["conversation"]} h2`;
    if (isLost) screen.current?.querySelector<HTMLElement>(next)?.focus();
  }, [isPanelOpen]);
  return (
    <div ref={screen} className={css["screen"]} data-place={place}>
      <section className={css["list"]} aria-label={t`Conversations`}>
        {list}
      </section>
      {conversation === null ? (
        <div className={css["nothing"]}>
          <EmptyState icon={<MessagesSquare />} title={t`Choose a conversation`}>
            {areSingleKeysOn
              ? t`Press ? to see what the keyboard can do.`
              : t`The button above the list shows what the keyboard can do.`}
          </EmptyState>
        </div>
      ) : (
        <>
          <section className={css["conversation"]} aria-label={t`Conversation`}>
            {conversation}
          </section>
          <aside className={css["panel"]} aria-label={t`Lead`}>
            {isPanelOpen && (
              <div className={css["panelHead"]}>
                <IconButton label={t`Back to the conversation`} icon={<ArrowLeft />} onClick={onBack} />
              </div>
            )}
            {panel}
          </aside>
        </>
      )}
    </div>
  );
}

/** Sets the height that an on-screen keyboard leaves visible. Some browsers report it only here. */
function followVisibleHeight(page: HTMLElement | null): (() => void) | undefined {
  const visible = window.visualViewport;
  if (page === null || !visible) return undefined;
  const follow = () => {
    page.style.setProperty("--visible-height", `${visible.height * visible.scale}px`);
    // Such a browser also scrolls the page up, past its end.
    if (visible.offsetTop > 0 && visible.scale === 1) window.scrollTo(0, 0);
  };
  follow();
  visible.addEventListener("resize", follow);
  return () => visible.removeEventListener("resize", follow);
}
