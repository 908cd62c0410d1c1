import { t } from "@lingui/core/macro";
import { measureElement, useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Message } from "../../../domain/message.ts";
import { newKey } from "../../../domain/new-key.ts";
import { Composer } from "../../machines/composer/composer.machine.ts";
import { type Outgoing, isSentAgain } from "../../machines/composer/composer.outgoing.ts";
import { Conversation } from "../../machines/conversation/conversation.machine.ts";
import { LoadError } from "../../ui/LoadError.tsx";
import { Spinner } from "../../ui/Loading.tsx";
import { VisuallyHidden, Note, Stack } from "../../ui/layout.tsx";
import { Bubble, OutgoingBubble } from "./Bubble.tsx";
import css from "./MessageLog.module.css";
import { type Row, createGuesses, createRows } from "./log-rows.ts";
import { kindName } from "./names.ts";
import { dayLine } from "./times.ts";

/** Within this distance from the end the log follows new messages, in CSS pixels. */
const NEAR_END = 60;
/** Older messages load when only this many are left above. */
const FEW_LEFT = 12;

/** The virtualized messages, anchored at the newest end. New or loaded messages never move what the user is reading. */
export function MessageLog({ name, isPanelOpen }: { name: string; isPanelOpen: boolean }) {
  const messages = Conversation.useSelector(({ context }) => context.range.messages);
  const outgoing = Composer.useSelector(({ context }) => context.outgoing);
  const isComposing = Composer.useSelector(({ context }) => context.text !== "" || context.file !== null);
  const scroller = useRef<HTMLDivElement>(null);
  const isFollowing = Conversation.useSelector((chart) => chart.matches({ place: "following" }));
  const canShowOlder = Conversation.useCan({ type: "older.show" });
  const isUnextended = Conversation.useSelector((chart) => chart.matches({ older: "unextended" }));
  const send = Conversation.useSend();
  const reply = Composer.useSend();
  // Stable across renders, so that bubbles do not re-render.
  const renew = useCallback((id: string) => send({ type: "message.changed", id }), [send]);
  const ways = useMemo(() => {
    // The pressed button is removed: the focus stays with the messages.
    const from =
      <What,>(act: (what: What) => void) =>
      (what: What) => {
        scroller.current?.focus({ preventScroll: true });
        act(what);
      };
    return {
      retry: from((key: string) => reply({ type: "reply.retry", key, newKey: newKey() })),
      edit: from((key: string) => reply({ type: "reply.edit", key })),
      discard: from((key: string) => reply({ type: "reply.discard", key })),
      sendAgain: from((message: Message) =>
        reply({ type: "message.again", message, key: newKey(), at: new Date().toISOString() }),
      ),
    };
  }, [reply]);
  const today = useToday();
  const [rowsOf] = useState(createRows);
  const [guesses] = useState(createGuesses);
  const rows = useMemo(() => rowsOf(messages, outgoing), [rowsOf, messages, outgoing]);
  const followed = useRef(true);
  // oxlint-disable-next-line react/incompatible-library -- its result is passed to no memoized component
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => guesses.of(rows[index] as Row),
    measureElement: (element, entry, instance) => {
      const height = measureElement(element, entry, instance);
      const row = rows[instance.indexFromElement(element)];
      if (row !== undefined) guesses.learn(row, height);
      return height;
    },
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    // Starts at the end, so that only the newest rows are rendered and measured first.
    initialOffset: () => rows.reduce((sum, row) => sum + guesses.of(row), 0),
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: NEAR_END,
    overscan: 6,
    paddingStart: 12,
    paddingEnd: 12,
    directDomUpdates: true,
    onChange: (instance) => {
      // Uses its own figures: reading the height from the page would force a layout.
      const shownTo = (instance.scrollOffset ?? 0) + (instance.scrollRect?.height ?? 0);
      const isAtEnd = instance.getTotalSize() - shownTo <= NEAR_END;
      if (isAtEnd === followed.current) return;
      followed.current = isAtEnd;
      // After the frame: the screen must not wait for the chart.
      queueMicrotask(() => send({ type: isAtEnd ? "bottom.reach" : "bottom.leave" }));
    },
  });

  const goToEnd = useCallback(() => virtualizer.scrollToEnd(), [virtualizer]);
  useLayoutEffect(goToEnd, [goToEnd]);
  useEndAfterOwn(outgoing.length, goToEnd);
  useEndWhileShrinking(scroller, goToEnd);
  useSeen(scroller, isPanelOpen);

  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? Number.POSITIVE_INFINITY;
  useEffect(() => {
    if (first < FEW_LEFT && canShowOlder && !isUnextended) send({ type: "older.show" });
  }, [first, canShowOlder, isUnextended, send]);

  return (
    <div className={css["log"]}>
      <OlderMark />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard */}
      <div ref={scroller} className={css["scroller"]} role="group" aria-label={t`Messages`} tabIndex={0}>
        <div ref={virtualizer.containerRef} className={css["rows"]} role="list">
          {items.map(({ index, key }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div key={key} ref={virtualizer.measureElement} data-index={index} className={css["row"]} role="listitem">
                {row.isDayStart && (
                  <Note size="xs" weight="medium" className={css["day"]}>
                    {dayLine(row.at, today)}
                  </Note>
                )}
                {row.message !== null ? (
                  <Bubble
                    message={row.message}
                    author={row.message.direction === "in" ? name : t`You`}
                    onAgain={canAgain(row.message, messages, outgoing) ? ways.sendAgain : null}
                    onLost={renew}
                  />
                ) : (
                  <OutgoingBubble
                    reply={row.reply}
                    canEdit={!isComposing}
                    onRetry={ways.retry}
                    onEdit={ways.edit}
                    onDiscard={ways.discard}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {!isFollowing && (
        <NewestButton
          onPress={() => {
            scroller.current?.focus({ preventScroll: true });
            goToEnd();
            send({ type: "newest.show" });
          }}
        />
      )}
      <Announcer name={name} />
    </div>
  );
}

const canAgain = (message: Message, messages: readonly Message[], outgoing: readonly Outgoing[]) =>
  (message.state === "failed" || message.state === "unknown") &&
  message.source === "reply" &&
  message.deleted_at === null &&
  !isSentAgain(message, messages) &&
  outgoing.every(({ text }) => text !== message.text);

/** Scrolls to the end after the user sends a reply. */
function useEndAfterOwn(count: number, goToEnd: () => void) {
  const before = useRef(count);
  useEffect(() => {
    if (count > before.current) goToEnd();
    before.current = count;
  }, [count, goToEnd]);
}

/** Keeps the newest message visible when a keyboard opens, a mark appears or the reply box grows. */
function useEndWhileShrinking(scroller: RefObject<HTMLElement | null>, goToEnd: () => void) {
  useEffect(() => {
    const element = scroller.current;
    if (element === null || typeof ResizeObserver === "undefined") return undefined;
    let height = element.clientHeight;
    const observer = new ResizeObserver(() => {
      const { clientHeight, scrollHeight, scrollTop } = element;
      const wasNearEnd = scrollHeight - scrollTop - height <= NEAR_END;
      if (clientHeight < height && wasNearEnd) goToEnd();
      height = clientHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, goToEnd]);
}

const isHidden = (element: HTMLElement | null) => element !== null && getComputedStyle(element).visibility === "hidden";

/** Marks messages as read when they are visible: the newest end, on a focused page, not covered by the panel. */
function useSeen(scroller: RefObject<HTMLElement | null>, isPanelOpen: boolean) {
  const messages = Conversation.useSelector(({ context }) => context.range.messages);
  const isFollowing = Conversation.useSelector((chart) => chart.matches({ place: "following" }));
  const send = Conversation.useSend();
  const newest = useMemo(() => messages.findLast(({ direction }) => direction === "in")?.id ?? null, [messages]);
  useEffect(() => {
    if (newest === null || !isFollowing) return undefined;
    const look = () => {
      const isCovered = isPanelOpen && isHidden(scroller.current);
      if (document.visibilityState === "visible" && !isCovered) send({ type: "messages.see", upTo: newest });
    };
    look();
    document.addEventListener("visibilitychange", look);
    window.addEventListener("resize", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("resize", look);
    };
  }, [newest, isFollowing, isPanelOpen, scroller, send]);
}

/** The time from which days are named; updated after midnight. */
function useToday(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const midnight = new Date(now).setHours(24, 0, 0, 0);
    const timer = setTimeout(() => setNow(Date.now()), midnight - now + 1_000);
    return () => clearTimeout(timer);
  }, [now]);
  return now;
}

function OlderMark() {
  const isExtending = Conversation.useSelector((chart) => chart.hasTag("extending"));
  const isUnextended = Conversation.useSelector((chart) => chart.matches({ older: "unextended" }));
  const send = Conversation.useSend();
  if (isUnextended)
    return (
      <div className={css["older"]}>
        <LoadError what={t`older messages`} onRetry={() => send({ type: "older.show" })} />
      </div>
    );
  return isExtending ? (
    <Stack justify="center" tone="muted" className={css["loading"]} aria-hidden="true">
      <Spinner />
    </Stack>
  ) : null;
}

function NewestButton({ onPress }: { onPress: () => void }) {
  const below = Conversation.useSelector(({ context }) => context.below);
  return (
    <button type="button" className={css["newest"]} onClick={onPress}>
      {below > 0 ? t`${below} new below` : <VisuallyHidden>{t`To the newest message`}</VisuallyHidden>}
      <ArrowDown />
    </button>
  );
}

/** Announces each new message once to screen readers; scrolling announces nothing. */
function Announcer({ name }: { name: string }) {
  const announced = Conversation.useSelector(({ context }) => context.announced);
  return (
    <VisuallyHidden role="log" aria-label={t`New messages`}>
      {announced.map(({ id, text, kind }) => (
        <span key={id}>
          {name}: {text === "" ? kindName(kind) : text}
        </span>
      ))}
    </VisuallyHidden>
  );
}
