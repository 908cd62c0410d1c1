import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Check, CircleAlert, CircleHelp, Clock3 } from "lucide-react";
import { type ReactNode, memo } from "react";
import { translate, useLocale } from "#language";
import type { Message, MatchedKeyword } from "../../../domain/message.ts";
import { type Outgoing, isEditable } from "../../machines/composer/composer.outgoing.ts";
import { hourText } from "../../language/format.ts";
import { Button } from "../../ui/Button.tsx";
import { FilePreview } from "../../ui/FileInput.tsx";
import { VisuallyHidden, Row, Span } from "../../ui/layout.tsx";
import css from "./Bubble.module.css";
import { MessageMedia } from "./MessageMedia.tsx";
import { reasonMessage } from "../../../domain/ledger-messages.ts";
import { useLinkFinder } from "./links.ts";
import { piecesOf } from "./pieces.ts";

const SOURCES: Partial<Record<Message["source"], MessageDescriptor>> = {
  followup: msg`Follow-up`,
  bulk: msg`Bulk message`,
  telegram: msg`From Telegram`,
};

type BubbleProps = {
  message: Message;
  /** The author's name, for screen readers. */
  author: string;
  /** Sends a failed message again; null if that makes no sense any more. */
  onAgain: ((message: Message) => void) | null;
  /** Its file did not load although it should be shown. */
  onLost?: (id: string) => void;
};

export const Bubble = memo(function Bubble({ message, author, onAgain, onLost }: BubbleProps) {
  useLocale();
  const { direction, text, media, deleted_at, edited_at, kind, state } = message;
  const isOut = direction === "out";
  const reason = isOut ? reasonMessage(message) : null;
  const source = SOURCES[message.source];
  const isPlain = kind === "sticker" && deleted_at === null;
  return (
    <Frame isOut={isOut} isPlain={isPlain} author={author} isUnsent={state === "failed" || state === "unknown"}>
      {deleted_at !== null ? (
        <p className={css["gone"]}>{t`This message was deleted.`}</p>
      ) : (
        <>
          {media !== null && <MessageMedia message={message} media={media} onLost={onLost} />}
          {media === null && text === "" && <p className={css["gone"]}>{t`This kind of message is not shown here.`}</p>}
          {text !== "" && <MessageText text={text} matched={message.matched} />}
        </>
      )}
      <Foot
        at={message.at}
        notes={[source === undefined ? null : t(source), edited_at !== null && deleted_at === null ? t`edited` : null]}
        sign={isOut ? <Sign state={state} /> : null}
      />
      {reason !== null && (
        <Trouble reason={translate(reason)} isBad={state === "failed" || state === "unknown"}>
          {onAgain !== null && (
            <Button size="small" onClick={() => onAgain(message)}>
              {state === "unknown" ? t`Send again` : t`Try again`}
            </Button>
          )}
        </Trouble>
      )}
    </Frame>
  );
});

type OutgoingBubbleProps = {
  reply: Outgoing;
  canEdit: boolean;
  onRetry: (key: string) => void;
  onEdit: (key: string) => void;
  onDiscard: (key: string) => void;
};

/** A reply that is being sent or failed to send. */
export const OutgoingBubble = memo(function OutgoingBubble({
  reply,
  canEdit,
  onRetry,
  onEdit,
  onDiscard,
}: OutgoingBubbleProps) {
  useLocale();
  const { key, text, file, at, status, reason, hasLostFile } = reply;
  const isUnsent = status === "refused" || status === "unanswered";
  return (
    <Frame isOut isPlain={false} author={t`You`} isUnsent={isUnsent}>
      {file instanceof File && <FilePreview file={file} />}
      {text !== "" && <MessageText text={text} matched={null} />}
      <Foot
        at={at}
        notes={[]}
        sign={<Sign state={status === "refused" ? "failed" : status === "unanswered" ? "unknown" : "pending"} />}
      />
      {isUnsent && (
        <Trouble reason={translate(reason) ?? t`Not sent.`} isBad>
          {!hasLostFile && (
            <Button size="small" onClick={() => onRetry(key)}>
              {t`Try again`}
            </Button>
          )}
          {isEditable(reply) && canEdit && (
            <Button size="small" variant="ghost" onClick={() => onEdit(key)}>
              {t`Edit`}
            </Button>
          )}
          <Button size="small" variant="ghost" onClick={() => onDiscard(key)}>
            {t`Remove`}
          </Button>
        </Trouble>
      )}
    </Frame>
  );
});

type FrameProps = { isOut: boolean; isPlain: boolean; isUnsent: boolean; author: string; children: ReactNode };

const Frame = ({ isOut, isPlain, isUnsent, author, children }: FrameProps) => (
  <Row align="stretch" className={css["line"]} data-side={isOut ? "out" : "in"}>
    <div className={css["bubble"]} data-plain={isPlain || undefined} data-unsent={isUnsent || undefined}>
      <VisuallyHidden>{author}: </VisuallyHidden>
      {children}
    </div>
  </Row>
);

const Foot = ({ at, notes, sign }: { at: string; notes: readonly (string | null)[]; sign: ReactNode }) => (
  <Row justify="end" tone="muted" className={css["foot"]}>
    {notes.map((note) => note !== null && <span key={note}>{note}</span>)}
    <time dateTime={at}>{hourText(at)}</time>
    {sign}
  </Row>
);

const Trouble = ({ reason, isBad, children }: { reason: string; isBad: boolean; children: ReactNode }) => (
  <Row wraps gap={2} size="sm" tone={isBad ? "bad" : undefined} className={css["trouble"]}>
    <span>{reason}</span>
    <Row as="span" wraps gap={1}>
      {children}
    </Row>
  </Row>
);

const SIGNS = {
  received: null,
  pending: { Icon: Clock3, name: msg`Waits to be sent`, tone: undefined },
  sending: { Icon: Clock3, name: msg`Being sent`, tone: undefined },
  sent: { Icon: Check, name: msg({ message: "Sent", context: "state of a message" }), tone: "accent" },
  failed: { Icon: CircleAlert, name: msg`Not sent`, tone: "bad" },
  unknown: { Icon: CircleHelp, name: msg`Not known whether it was sent`, tone: "bad" },
} as const;

function Sign({ state }: { state: Message["state"] }) {
  const sign = SIGNS[state];
  if (sign === null) return null;
  return (
    <Span tone={sign.tone} className={css["sign"]} title={translate(sign.name)}>
      <sign.Icon />
      <VisuallyHidden>{translate(sign.name)}</VisuallyHidden>
    </Span>
  );
}

type MessageTextProps = { text: string; matched: MatchedKeyword | null };

/** A message's original text; links open in a new tab, and the keyword that moved the lead is marked. */
const MessageText = memo(function MessageText({ text, matched }: MessageTextProps) {
  useLocale();
  const find = useLinkFinder();
  return (
    <p className={css["text"]} dir="auto">
      {piecesOf(text, matched, find).map(({ text: reason, href, isMatched }, place) => {
        const shown = href === null ? reason : <OutsideLink href={href}>{reason}</OutsideLink>;
        return isMatched ? (
          <mark key={place} title={t`Keyword: ${{ keyword: matched?.keyword ?? "" }}`}>
            {shown}
          </mark>
        ) : (
          <span key={place}>{shown}</span>
        );
      })}
    </p>
  );
});

const OutsideLink = ({ href, children }: { href: string; children: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
    {children}
  </a>
);
