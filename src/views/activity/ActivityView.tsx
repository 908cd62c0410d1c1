import { translate } from "#language";
import { msg, plural, t } from "@lingui/core/macro";
import { ScrollText } from "lucide-react";
import { type RefObject, useRef } from "react";
import { Link } from "wouter";
import { numberText } from "../../language/format.ts";
import { freshCount, STATE_LABELS } from "../../machines/ledger/ledger.list.ts";
import { Ledger } from "../../machines/ledger/ledger.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { passFocusToNewRow } from "../../ui/lost-focus.ts";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { VisuallyHidden, Box, Row, Stack } from "../../ui/layout.tsx";
import { ActivityFilters } from "./ActivityFilters.tsx";
import { ActivityRow } from "./ActivityRow.tsx";
import { Table, TableFrame } from "../../ui/Table.tsx";
import css from "./ActivityView.module.css";
import { ReadProblems } from "../shell/ReadProblems.tsx";

/** States whose names need an explanation. */
const LEGEND = [
  { state: "unknown", meaning: msg`Telegram’s answer was lost. Look in the chat before you send it again.` },
  { state: "cancelled", meaning: msg`Cancelled before it was sent. Nothing went out.` },
] as const;

export function ActivityView() {
  const [chart, send] = Ledger.use();
  const hasFailed = chart.hasTag("loadFailed");
  const frame = useRef<HTMLDivElement>(null);
  return (
    <>
      <PageHeader title={t`Activity`} subtitle={t`Every message that was planned, and what became of it.`} />
      <ActivityFilters />
      <Row as="dl" after={3} wraps gap={[1, 5]} size="sm" tone="muted" className={css["legend"]}>
        {LEGEND.map(({ state, meaning }) => (
          <div key={state}>
            <dt>{translate(STATE_LABELS[state].name)}</dt> <dd>{translate(meaning)}</dd>
          </div>
        ))}
      </Row>
      {(hasFailed || chart.hasTag("outdated")) && (
        <Box after={4}>
          <ReadProblems chart={chart} send={send} />
        </Box>
      )}
      {!hasFailed && (
        <TableFrame ref={frame} className={css["frame"]} tabIndex={-1} role="group" aria-label={t`Messages`}>
          <Fresh frame={frame} />
          <Messages />
        </TableFrame>
      )}
    </>
  );
}

/** Shows the number of new rows, and shows the rows on request, so that nothing moves while the user reads. */
function Fresh({ frame }: { frame: RefObject<HTMLDivElement | null> }) {
  const count = Ledger.useSelector(({ context }) => freshCount(context));
  const send = Ledger.useSend();
  const show = () => {
    send({ type: "fresh.show" });
    window.scrollTo(0, 0);
    frame.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <VisuallyHidden role="status">
        {count > 0 && t`${plural({ count }, { one: "# new message", other: "# new messages" })}`}
      </VisuallyHidden>
      {count > 0 && (
        <div className={css["fresh"]}>
          <Button
            variant="primary"
            size="small"
            aria-label={t`Show ${{ count: numberText(count) }} new`}
            onClick={show}
          >
            {t`${{ count: numberText(count) }} new`}
          </Button>
        </div>
      )}
    </>
  );
}

function Messages() {
  const items = Ledger.useSelector(({ context }) => context.items);
  const isLoading = Ledger.useSelector((chart) => chart.hasTag("loading"));
  const isFiltered = Ledger.useCan({ type: "filters.clear" });
  if (isLoading)
    return (
      <Stack surface="card" gap={5} pad={5} role="status" aria-label={t`Loading messages...`}>
        {["92%", "74%", "85%", "68%", "88%", "79%"].map((width) => (
          <Skeleton key={width} width={width} height="1.25rem" />
        ))}
      </Stack>
    );
  if (items.length === 0)
    return (
      <Box surface="card">
        <EmptyState
          icon={<ScrollText />}
          title={isFiltered ? t`No message matches these filters` : t`No messages yet`}
          actions={isFiltered ? undefined : <Link href="/followups">{t`Write a follow-up`}</Link>}
        >
          {isFiltered
            ? t`Loosen a filter, or clear them to see every message.`
            : t`Follow-ups, answers, bulk messages and reminders appear here as soon as they are planned.`}
        </EmptyState>
      </Box>
    );
  return (
    <>
      <Table asCards className={css["table"]} aria-label={t`Messages`}>
        <thead>
          <tr>
            <th scope="col" style={{ inlineSize: "9.25rem" }}>{t`Planned`}</th>
            <th scope="col" style={{ inlineSize: "8.5rem" }}>{t`Kind`}</th>
            <th scope="col" style={{ inlineSize: "16%" }}>{t`Lead`}</th>
            <th scope="col">{t`Message`}</th>
            <th scope="col" style={{ inlineSize: "26%" }}>{t`State`}</th>
            <th scope="col" style={{ inlineSize: "6.75rem" }} className={css["tries"]}>
              {t`Attempts`}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <ActivityRow key={item.id} item={item} />
          ))}
        </tbody>
      </Table>
      <Older />
    </>
  );
}

function Older() {
  const [chart, send] = Ledger.use();
  const { older } = chart.value;
  const load = { type: "older.load" } as const;
  if (chart.context.next === null) return null;
  const isLoading = older === "loading";
  return (
    <Row pad={[5, 0]} wraps justify="center" gap={3} tone="muted">
      {older === "failed" && <span role="status">{t`Older messages could not be read.`}</span>}
      <Button
        ref={passFocusToNewRow}
        isPending={isLoading}
        isAriaDisabled={!chart.can(load)}
        onClick={() => send(load)}
      >
        {older === "failed" ? t`Try again` : t`Older`}
      </Button>
    </Row>
  );
}
