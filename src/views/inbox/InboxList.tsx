import type { MessageDescriptor } from "@lingui/core";
import { msg, t } from "@lingui/core/macro";
import { Check, Inbox as InboxIcon, Keyboard, Search } from "lucide-react";
import { type ComponentType, type ReactNode, Suspense, lazy, memo, useCallback, useEffect, useRef } from "react";
import { useLocale } from "#language";
import { Link } from "wouter";
import type { ControlId } from "../../commands/commands.ts";
import type { InboxItem, InboxView, WaitingOrder } from "../../../domain/inbox.ts";
import { Inbox } from "../../machines/inbox/inbox.machine.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { INSIDE } from "../../ui/inside.ts";
import { useFocusKeeper } from "../../ui/focus.ts";
import { passFocusInRow, passFocusToHeading, passFocusToNewRow } from "../../ui/lost-focus.ts";
import { LoadError } from "../../ui/LoadError.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { useNow } from "../../ui/hooks.ts";
import { VisuallyHidden, Box, Note, Row, Stack, Text, Span } from "../../ui/layout.tsx";
import { Avatar } from "../conversation/Avatar.tsx";
import { excerptOf, nameOf } from "../conversation/names.ts";
import { shortTime, waitedText } from "../conversation/times.ts";
import css from "./InboxList.module.css";
import type { MarkedProps } from "./Marked.tsx";
import { submitting } from "../../ui/form.tsx";
import { ReadProblems } from "../shell/ReadProblems.tsx";

/** Loads with the first search; if that fails, nothing is marked. */
const Marked = lazy<ComponentType<MarkedProps>>(() =>
  import("./Marked.tsx").catch(() => ({ default: ({ text }: MarkedProps) => text })),
);

function Found(props: MarkedProps) {
  if (props.q === "") return props.text;
  return (
    <Suspense fallback={props.text}>
      <Marked {...props} />
    </Suspense>
  );
}

const VIEWS: readonly { view: InboxView; name: MessageDescriptor }[] = [
  { view: "waiting", name: msg`Waiting` },
  { view: "unread", name: msg`Unread` },
  { view: "all", name: msg({ message: "All", context: "conversations" }) },
];
const EMPTY_TEXTS: Record<InboxView, [title: MessageDescriptor, hint: MessageDescriptor]> = {
  waiting: [
    msg`Nobody waits for an answer`,
    msg`People who wrote last stay here until you answer, move the lead or press Done.`,
  ],
  unread: [msg`Nothing is unread`, msg`Conversations you have not read yet appear here.`],
  all: [msg`No conversations yet`, msg`Everyone who writes to your connected Telegram account appears here.`],
};

const NO_MATCH_TEXTS: Record<InboxView, MessageDescriptor> = {
  waiting: msg`Nobody found among those who wait`,
  unread: msg`Nobody found among the unread`,
  all: msg`Nobody found`,
};

export type InboxListProps = {
  openId: string | null;
  hrefOf: (leadId: string) => string;
  /** Marks a conversation done; `upTo` is the newest message in the row. */
  onDone: (leadId: string, upTo: string | undefined) => void;
  onHelp: () => void;
  /** Shown if there are no conversations: how to get some. */
  whenEmpty?: ReactNode;
};

/** The list of conversations: waiting, unread or all, with a search. */
export function InboxList({ onHelp, ...list }: InboxListProps) {
  const [inbox, send] = Inbox.use();
  const { order, typed, place } = inbox.context;
  const { view } = place;
  const hasFailed = inbox.hasTag("loadFailed");
  const search = submitting(() => send({ type: "query.apply" }));
  return (
    <div className={css["inbox"]}>
      <Row justify="between" className={css["head"]}>
        <Text as="h1" share="rest" size="xl" tabIndex={-1}>
          {t`Inbox`}
        </Text>
        {view === "waiting" && (
          <select
            className={css["order"]}
            aria-label={t`Order`}
            value={order}
            onChange={({ target }) => send({ type: "order.choose", order: target.value as WaitingOrder })}
          >
            <option value="longest">{t`Longest waiting`}</option>
            <option value="newest">{t`Newest first`}</option>
          </select>
        )}
        <IconButton className={css["help"]} label={t`Keyboard shortcuts`} icon={<Keyboard />} onClick={onHelp} />
      </Row>
      <form className={css["search"]} role="search" onSubmit={search}>
        <Search />
        <input
          type="search"
          dir="auto"
          data-command={"inbox.search" satisfies ControlId}
          aria-label={t`Search people and messages`}
          placeholder={t`Search people and messages`}
          maxLength={200}
          value={typed}
          onChange={({ target }) => send({ type: "query.change", q: target.value })}
        />
      </form>
      <Row align="stretch" gap={1} className={css["views"]} role="group" aria-label={t`Show`}>
        {VIEWS.map(({ view: other, name }) => (
          <button
            key={other}
            type="button"
            className={css["view"]}
            aria-pressed={other === view}
            onClick={() => send({ type: "view.choose", view: other })}
          >
            {t(name)}
          </button>
        ))}
      </Row>
      {(hasFailed || inbox.hasTag("outdated")) && (
        <Box pad={4}>
          <ReadProblems chart={inbox} send={send} />
        </Box>
      )}
      {!hasFailed && <Conversations {...list} />}
    </div>
  );
}

function Conversations({ openId, hrefOf, onDone, whenEmpty }: Omit<InboxListProps, "onHelp">) {
  const [inbox, send] = Inbox.use();
  const { items, place } = inbox.context;
  const { view, q } = place;
  const isSearched = q !== "";
  const keepFocus = useFocusKeeper("li");
  const now = useNow();
  if (inbox.hasTag("loading"))
    return (
      <Stack gap={5} pad={4} role="status" aria-label={t`Loading conversations...`}>
        {["70%", "55%", "80%", "60%", "75%"].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </Stack>
    );
  if (items.length === 0) {
    const [title, hint] = EMPTY_TEXTS[view];
    return (
      <Box pad={4}>
        <EmptyState
          icon={<InboxIcon />}
          title={t(isSearched ? NO_MATCH_TEXTS[view] : title)}
          actions={
            isSearched &&
            view !== "all" && (
              <span ref={passFocusToHeading}>
                <Button size="small" onClick={() => send({ type: "view.choose", view: "all" })}>
                  {t`Search in all`}
                </Button>
              </span>
            )
          }
        >
          {isSearched ? t`Try a part of a name, a username, or a word that was written.` : t(hint)}
        </EmptyState>
        {view === "all" && !isSearched && whenEmpty}
      </Box>
    );
  }
  return (
    <div className={css["scroller"]}>
      <ul ref={keepFocus} className={css["list"]}>
        {items.map((item) => (
          <ConversationRow
            key={item.lead.id}
            item={item}
            now={now}
            href={hrefOf(item.lead.id)}
            isOpen={item.lead.id === openId}
            onDone={onDone}
            q={q}
          />
        ))}
      </ul>
      <Tail />
    </div>
  );
}

type RowProps = { item: InboxItem; now: number; href: string; isOpen: boolean; q: string } & Pick<
  InboxListProps,
  "onDone"
>;

const ConversationRow = memo(function ConversationRow({ item, now, href, isOpen, q, onDone }: RowProps) {
  useLocale();
  const { lead, last, unread, waiting_since } = item;
  const name = nameOf(lead);
  const excerpt = last && excerptOf(last);
  return (
    <li className={css["item"]}>
      <Link
        href={href}
        state={INSIDE}
        className={css["row"] ?? ""}
        aria-current={isOpen ? "true" : undefined}
        data-lead={lead.id}
      >
        <Avatar id={lead.id} name={name} />
        <Stack as="span" share="rest" className={css["words"]}>
          <Row as="span" align="baseline" gap={2} share="less">
            <Span share="rest" clamp={1} weight="strong" dir="auto">
              <Found text={name} q={q} isName />
            </Span>
            {last !== null && (
              <Note as="time" size="xs" dateTime={last.at}>
                {shortTime(last.at, now)}
              </Note>
            )}
          </Row>
          <Row as="span" align="baseline" gap={2} share="less">
            <Note as="span" share="rest" clamp={1} dir={excerpt?.dir}>
              {excerpt !== null && <Found text={excerpt.text} q={q} />}
            </Note>
            {unread > 0 && (
              <Span share="own" size="xs" weight="strong" className={css["unread"]}>
                {unread > 99 ? "99+" : unread}
                <VisuallyHidden> {t`unread`}</VisuallyHidden>
              </Span>
            )}
          </Row>
          {waiting_since !== null && (
            <Span size="xs" tone="warn">
              {waitedText(waiting_since, now)}
            </Span>
          )}
        </Stack>
      </Link>
      {waiting_since !== null && (
        <IconButton
          ref={passFocusInRow}
          className={css["done"]}
          label={t`Done: ${name}`}
          title={t`Done: out of Waiting until they write`}
          icon={<Check />}
          onClick={() => onDone(lead.id, item.last?.id)}
        />
      )}
    </li>
  );
});

/** The end of the list, which loads more when it comes into view. */
function Tail() {
  const hasMore = Inbox.useSelector(({ context }) => context.next !== null);
  const isExtending = Inbox.useSelector((inbox) => inbox.hasTag("extending"));
  const isUnextended = Inbox.useSelector((inbox) => inbox.matches({ tail: "unextended" }));
  const canShowMore = Inbox.useCan({ type: "list.more" });
  const send = Inbox.useSend();
  const showMore = useCallback(() => send({ type: "list.more" }), [send]);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (element === null || !canShowMore || isUnextended || typeof IntersectionObserver === "undefined")
      return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && showMore(), {
      root: element.closest("ul")?.parentElement ?? null,
      rootMargin: "600px",
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [canShowMore, isUnextended, showMore]);
  if (!hasMore) return null;
  return (
    <div ref={end} className={css["tail"]} aria-busy={isExtending || undefined}>
      {isUnextended ? (
        <LoadError what={t`further conversations`} isAriaDisabled={!canShowMore} onRetry={showMore} />
      ) : (
        <button
          ref={passFocusToNewRow}
          type="button"
          className={css["more"]}
          aria-disabled={!canShowMore || undefined}
          onClick={showMore}
        >
          {t`More`}
        </button>
      )}
    </div>
  );
}
