import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId } from "react";
import { Link } from "wouter";
import type { FollowupResult } from "../../../domain/followup.ts";
import { durationText, numberText, percentText } from "../../language/format.ts";
import type { Readout } from "../../machines/reading/reading.machine.ts";
import { Card, Note, Stack, Span } from "../../ui/layout.tsx";
import { LoadError } from "../../ui/LoadError.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { Figures } from "../../ui/Table.tsx";
import css from "./StatsView.module.css";

/** A follow-up with its results; `step` is its position, null if it was deleted. */
export type ResultRow = FollowupResult & { step: { stage: string; position: number; message: string } | null };

/** Each follow-up's results in the period; nothing if the server does not know the call. */
export function ResultsTable({ results }: { results: Readout<ResultRow[] | null> }) {
  const id = useId();
  const { value, status, retry } = results;
  if (value === null) return null;
  return (
    <Stack as={Card} gap={3} before={4} aria-labelledby={id}>
      <h2 id={id}>{t`Follow-up Results`}</h2>
      <Note>{t`Counted for what was sent in the period, whenever it was answered.`}</Note>
      {status === "loadFailed" && <LoadError what={t`the follow-ups' results`} onRetry={retry} />}
      {status === "loading" && <Skeleton height="8rem" />}
      {value !== undefined && <Rows rows={value} id={id} />}
    </Stack>
  );
}

function Rows({ rows, id }: { rows: readonly ResultRow[]; id: string }) {
  if (rows.length === 0)
    return (
      <p>
        <Trans>
          No follow-up went out in this period. <Link href="/followups">See the follow-ups</Link>
        </Trans>
      </p>
    );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll container must be reachable by keyboard
    <div className={css["scroll"]} tabIndex={0} role="region" aria-labelledby={id}>
      <Figures className={css["table"]}>
        <thead>
          <tr>
            <th scope="col">{t`Follow-up`}</th>
            <th scope="col">{t({ message: "Sent", context: "how many" })}</th>
            <th scope="col">{t`Answered in 24 h`}</th>
            <th scope="col">{t`Answered in 72 h`}</th>
            <th scope="col">{t`Moved on`}</th>
            <th scope="col">{t`Opted out`}</th>
            <th scope="col">{t`Median answer`}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.followup_id}>
              <Stack as="th" scope="row" max="20rem">
                {row.step === null ? (
                  t`A follow-up that is gone`
                ) : (
                  <>
                    <Note as="span">
                      <bdi>{row.step.stage}</bdi> · {row.step.position}
                    </Note>
                    <Span clamp={1} dir="auto" title={row.step.message}>
                      {row.step.message}
                    </Span>
                  </>
                )}
              </Stack>
              <td>{numberText(row.sent)}</td>
              <Share count={row.answered_24h} sent={row.sent} />
              <Share count={row.answered_72h} sent={row.sent} />
              <Share count={row.moved_on} sent={row.sent} />
              <Share count={row.opted_out} sent={row.sent} />
              <td>{row.median_answer_minutes === null ? "-" : durationText(row.median_answer_minutes)}</td>
            </tr>
          ))}
        </tbody>
      </Figures>
    </div>
  );
}

const Share = ({ count, sent }: { count: number; sent: number }) => (
  <td>
    {numberText(count)} <Note as="span">{percentText(sent === 0 ? null : (count / sent) * 100)}</Note>
  </td>
);
