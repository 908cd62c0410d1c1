import { useId } from "react";
import { Link } from "wouter";
import { DryRun, type HeldBack, selectReview } from "../../machines/dry-run/dry-run.machine.ts";
import { momentText } from "../../machines/kit/format.ts";
import { selectUnread } from "../../machines/kit/reading.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { handFocusOn } from "../../ui/focus.ts";
import { FormProblem } from "../../ui/FormProblem.tsx";
import { NotRead } from "../../ui/NotRead.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import css from "./DryRun.module.css";

/** Says on every screen that nothing leaves by itself, and is the way out: what would have gone out comes first. */
export function DryRunBanner() {
  const [chart, send] = DryRun.use();
  const { isOn, problem } = chart.context;
  const review = selectReview(chart);
  if (isOn !== true) return null;
  return (
    <div className={css["place"]}>
      <Banner
        tone="warn"
        actions={
          chart.can({ type: "dryRun.leave" }) && (
            <Button size="small" onClick={() => send({ type: "dryRun.leave" })}>
              Leave dry run
            </Button>
          )
        }
      >
        <strong>Dry run.</strong> Automatic messages are decided and written down, and none leaves.
      </Banner>
      {problem !== null && <FormProblem>{problem}</FormProblem>}
      {review !== null && <Review review={review} />}
    </div>
  );
}

/** The same function for each render: another one would take the focus anew. */
const takeFocus = (heading: HTMLElement | null) => heading?.focus();

function Review({ review }: { review: NonNullable<ReturnType<typeof selectReview>> }) {
  const id = useId();
  const [chart, send] = DryRun.use();
  const { heldBack } = chart.context;
  const unread = selectUnread(chart);
  return (
    <section ref={handFocusOn} aria-labelledby={id}>
      <Card className={css["review"]}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it takes the focus of the button that opened it */}
        <h2 id={id} className={css["title"]} tabIndex={-1} ref={takeFocus}>
          What would have gone out
        </h2>
        {review === "reading" && <Skeleton height="6rem" />}
        {unread !== null && <NotRead what={unread} onRetry={() => send({ type: "reading.retry" })} />}
        {(review === "shown" || review === "ending") && heldBack !== null && <List heldBack={heldBack} />}
        <p className={css["note"]}>
          None of it goes out by itself afterwards: what is still due waits for your word on the follow-ups screen.
        </p>
        <div className={css["actions"]}>
          {(chart.can({ type: "dryRun.end" }) || review === "ending") && (
            <Button variant="primary" isPending={review === "ending"} onClick={() => send({ type: "dryRun.end" })}>
              Send from now on
            </Button>
          )}
          {chart.can({ type: "dryRun.stay" }) && (
            <Button variant="ghost" onClick={() => send({ type: "dryRun.stay" })}>
              Stay in dry run
            </Button>
          )}
        </div>
      </Card>
    </section>
  );
}

function List({ heldBack: { items, hasMore, since } }: { heldBack: HeldBack }) {
  const began = momentText(since);
  const where = began === null ? "in dry runs so far" : `since ${began}`;
  if (items.length === 0) return <p>{`Nothing would have gone out ${where}.`}</p>;
  const count = hasMore
    ? `more than ${items.length} messages`
    : items.length === 1
      ? "1 message"
      : `${items.length} messages`;
  return (
    <>
      <p>{`It would have sent ${count} ${where}${hasMore ? ". The newest are" : ""}:`}</p>
      <ol className={css["items"]}>
        {items.map(({ id, lead, excerpt, planned_at, settled_at }) => (
          <li key={id} className={css["item"]}>
            <span className={css["who"]}>
              {lead === null ? (
                "A reminder"
              ) : (
                <Link href={`/leads/${encodeURIComponent(lead.id)}`}>
                  <bdi>{lead.name || "A lead without a name"}</bdi>
                </Link>
              )}{" "}
              · <time dateTime={settled_at ?? planned_at}>{momentText(settled_at ?? planned_at)}</time>
            </span>
            {excerpt !== null && (
              <q className={css["excerpt"]} dir="auto">
                {excerpt}
              </q>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
