import type { ReactNode } from "react";
import css from "./InboxView.module.css";

export type InboxViewProps = {
  list: ReactNode;
  /** The open conversation and the panel beside it; null while none is open. */
  conversation: ReactNode;
  panel: ReactNode;
  isPanelOpen: boolean;
};

/** List, conversation and the lead's panel: side by side where there is room, else one at a time. */
export function InboxView({ list, conversation, panel, isPanelOpen }: InboxViewProps) {
  const place = conversation === null ? "list" : isPanelOpen ? "panel" : "conversation";
  return (
    <div className={css["screen"]} data-place={place}>
      <section className={css["list"]} aria-label="Conversations">
        {list}
      </section>
      {conversation !== null && (
        <>
          <section className={css["conversation"]} aria-label="Conversation">
            {conversation}
          </section>
          <aside className={css["panel"]} aria-label="Lead">
            {panel}
          </aside>
        </>
      )}
    </div>
  );
}
