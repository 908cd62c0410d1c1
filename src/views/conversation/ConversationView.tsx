import { t } from "@lingui/core/macro";
import { ArrowLeft, ExternalLink, MessagesSquare, PanelRight, UserX } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Composer } from "../../machines/composer/composer.machine.ts";
import { Conversation, selectNewestShown } from "../../machines/conversation/conversation.machine.ts";
import { selectOutdated, selectLoadFailed } from "../../machines/kit/loading.ts";
import { Button, IconButton, iconButtonClass } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { focusIfLost, passFocusOnRemoval } from "../../ui/lost-focus.ts";
import { LoadError } from "../../ui/LoadError.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { optedOutMark } from "../leads/OptedOut.tsx";
import { Avatar } from "./Avatar.tsx";
import { ComposerView } from "./ComposerView.tsx";
import { Note, Row, Stack, Text } from "../../ui/layout.tsx";
import css from "./ConversationView.module.css";
import { MessageLog } from "./MessageLog.tsx";
import { nameOf, telegramAddress } from "./names.ts";

export type ConversationViewProps = {
  onBack: () => void;
  /** Opens the lead's panel on screens that are too narrow for both. */
  onPanel: () => void;
  /** Marks the conversation done; `upTo` is the lead's newest message that was shown. */
  onDone: (upTo: string | undefined) => void;
  /** Whether the panel is open: on narrow screens it covers the conversation. */
  isPanelOpen?: boolean;
  /** Replaces a conversation that the user has excluded. */
  gone?: ReactNode;
};

/** A lead's conversation: header, messages and reply box. */
export function ConversationView({ onBack, onPanel, onDone, isPanelOpen = false, gone = null }: ConversationViewProps) {
  const isMissing = Conversation.useSelector((chart) => chart.hasTag("missing"));
  const missing = Conversation.useSelector(selectLoadFailed);
  const send = Conversation.useSend();
  if (isMissing || gone !== null)
    return (
      <div className={css["conversation"]}>
        <Head onBack={onBack} onPanel={null} onDone={null} />
        {gone ?? (
          <EmptyState icon={<UserX />} title={t`There is no such lead`}>
            {t`It may have been removed, or the address is wrong.`}
          </EmptyState>
        )}
      </div>
    );
  return (
    <div className={css["conversation"]}>
      <Head onBack={onBack} onPanel={onPanel} onDone={onDone} />
      {missing === null ? (
        <Messages isPanelOpen={isPanelOpen} />
      ) : (
        <Stack pad={4} className={css["unread"]}>
          <LoadError what={missing} onRetry={() => send({ type: "reading.retry" })} />
        </Stack>
      )}
      <ComposerView />
    </div>
  );
}

type HeadProps = { onBack: () => void; onPanel: (() => void) | null; onDone: ConversationViewProps["onDone"] | null };

function Head({ onBack, onPanel, onDone }: HeadProps) {
  const lead = Conversation.useSelector(({ context }) => context.lead);
  const shown = Conversation.useSelector(selectNewestShown);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => focusIfLost(heading.current), []);
  const name = lead === null ? null : nameOf(lead);
  useTitle(name);
  const address = lead === null ? null : telegramAddress(lead);
  return (
    <Row as="header" gap={3} className={css["head"]}>
      <IconButton className={css["back"]} label={t`Back`} icon={<ArrowLeft />} onClick={onBack} />
      {lead !== null && name !== null && <Avatar id={lead.id} name={name} />}
      <Stack share="rest">
        <Text as="h2" clamp={1} ref={heading} tabIndex={-1} dir="auto">
          {name ?? t`Conversation`}
        </Text>
        <Row gap={2} share="less">
          {lead?.username && (
            <Note as="span" clamp={1} dir="auto">
              @{lead.username}
            </Note>
          )}
          {lead !== null && optedOutMark(lead)}
        </Row>
      </Stack>
      {onDone !== null && lead?.waiting_since != null && (
        <Button
          ref={passFocusOnRemoval}
          size="small"
          data-shortcut="done"
          title={t`Out of Waiting until they write`}
          onClick={() => onDone(shown)}
        >
          {t`Done`}
        </Button>
      )}
      {address !== null && (
        <a
          className={iconButtonClass(css["telegram"])}
          href={address}
          target="_blank"
          rel="noreferrer"
          title={t`Open in Telegram`}
        >
          <ExternalLink aria-label={t`Open in Telegram`} />
        </a>
      )}
      {onPanel !== null && (
        <IconButton className={css["panelButton"]} label={t`About this lead`} icon={<PanelRight />} onClick={onPanel} />
      )}
    </Row>
  );
}

/** Sets the tab's title to the lead's name. */
function useTitle(name: string | null) {
  useEffect(() => {
    if (name === null) return undefined;
    const before = document.title;
    document.title = `${name} · Leadloom`;
    return () => {
      document.title = before;
    };
  }, [name]);
}

function Messages({ isPanelOpen }: { isPanelOpen: boolean }) {
  const isLoading = Conversation.useSelector((chart) => chart.hasTag("loading"));
  const outdated = Conversation.useSelector(selectOutdated);
  const lead = Conversation.useSelector(({ context }) => context.lead);
  const isEmpty = Conversation.useSelector(({ context }) => context.range.messages.length === 0);
  const send = Conversation.useSend();
  const offer = Composer.useSend();
  useEffect(() => {
    if (lead !== null) offer({ type: "draft.offer", text: lead.draft });
  }, [lead, offer]);
  if (isLoading || lead === null)
    return (
      <Stack gap={3} pad={4} className={css["waiting"]} role="status" aria-label={t`Loading the conversation...`}>
        {["38%", "55%", "30%"].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </Stack>
    );
  return (
    <>
      {outdated !== null && (
        <div className={css["mark"]}>
          <LoadError what={outdated} isOutdated onRetry={() => send({ type: "reading.retry" })} />
        </div>
      )}
      {isEmpty && (
        <Stack pad={4} className={css["empty"]}>
          <EmptyState icon={<MessagesSquare />} title={t`No messages yet`} />
        </Stack>
      )}
      <MessageLog name={nameOf(lead)} isPanelOpen={isPanelOpen} />
    </>
  );
}
