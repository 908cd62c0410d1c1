import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId } from "react";
import { Link } from "wouter";
import { DryRun, type HeldBack, selectReview } from "../../machines/dry-run/dry-run.machine.ts";
import { momentText } from "../../language/format.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card, Note, Row, Stack, Text, Span } from "../../ui/layout.tsx";
import { passFocusOnRemoval } from "../../ui/lost-focus.ts";
import { FormProblem } from "../../ui/form.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import css from "./DryRun.module.css";
import { ReadProblems } from "../shell/ReadProblems.tsx";

/** Says on every screen that nothing is sent automatically, and ends the dry run after a review of what would have been sent. */
export function DryRunBanner() {
  const [chart, send] = DryRun.use();
  const { isOn, problem } = chart.context;
  const review = selectReview(chart);
  if (isOn !== true) return null;
  return (
    <Stack gap={3} after={5}>
      <Banner
        tone="warn"
        actions={
          chart.can({ type: "dryRun.leave" }) && (
            <Button size="small" onClick={() => send({ type: "dryRun.leave" })}>
              {t`Leave dry run`}
            </Button>
          )
        }
      >
        <Trans>
          <strong>Dry run.</strong> Automatic messages are planned and logged, but not sent.
        </Trans>
      </Banner>
      <FormProblem>{problem}</FormProblem>
      {review !== null && <Review review={review} />}
    </Stack>
  );
}

/** Stable across renders; a new function would refocus the heading. */
const takeFocus = (heading: HTMLElement | null) => heading?.focus();

function Review({ review }: { review: NonNullable<ReturnType<typeof selectReview>> }) {
  const id = useId();
  const [chart, send] = DryRun.use();
  const { heldBack } = chart.context;
  return (
    <section ref={passFocusOnRemoval} aria-labelledby={id}>
      <Stack as={Card} gap={3}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it takes the focus from the button that opened it */}
        <h2 id={id} tabIndex={-1} ref={takeFocus}>
          {t`What would have gone out`}
        </h2>
        {review === "reading" && <Skeleton height="6rem" />}
        <ReadProblems chart={chart} send={send} />
        {(review === "shown" || review === "ending") && heldBack !== null && <List heldBack={heldBack} />}
        <Note>
          {t`None of it goes out by itself afterwards: what is still due waits for your approval on the follow-ups screen.`}
        </Note>
        <Row wraps gap={2}>
          {(chart.can({ type: "dryRun.end" }) || review === "ending") && (
            <Button variant="primary" isPending={review === "ending"} onClick={() => send({ type: "dryRun.end" })}>
              {t`Send from now on`}
            </Button>
          )}
          {chart.can({ type: "dryRun.stay" }) && (
            <Button variant="ghost" onClick={() => send({ type: "dryRun.stay" })}>
              {t`Stay in dry run`}
            </Button>
          )}
        </Row>
      </Stack>
    </section>
  );
}

function List({ heldBack: { items, hasMore, since } }: { heldBack: HeldBack }) {
  const began = momentText(since);
  const where = began === null ? t`in dry runs so far` : t`since ${began}`;
  if (items.length === 0) return <p>{t`Nothing would have gone out ${where}.`}</p>;
  const count = hasMore
    ? t`more than ${{ count: items.length }} messages`
    : t`${plural({ count: items.length }, { one: "# message", other: "# messages" })}`;
  return (
    <>
      <p>
        {hasMore ? t`It would have sent ${count} ${where}. The newest are:` : t`It would have sent ${count} ${where}:`}
      </p>
      <Stack as="ol" gap={2} scroll="18rem">
        {items.map(({ id, lead, excerpt, planned_at, settled_at }) => (
          <Stack as="li" surface="quote" key={id} className={css["item"]}>
            <Span size="sm">
              {lead === null ? (
                t`A reminder`
              ) : (
                <Link href={`/leads/${encodeURIComponent(lead.id)}`}>
                  <bdi>{lead.name || t`A lead without a name`}</bdi>
                </Link>
              )}{" "}
              · <time dateTime={settled_at ?? planned_at}>{momentText(settled_at ?? planned_at)}</time>
            </Span>
            {excerpt !== null && (
              <Text as="q" tone="muted" dir="auto">
                {excerpt}
              </Text>
            )}
          </Stack>
        ))}
      </Stack>
    </>
  );
}
