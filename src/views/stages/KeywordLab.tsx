import { t } from "@lingui/core/macro";
import { translate } from "#language";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useId } from "react";
import { Link } from "wouter";
import type { KeywordChange, KeywordPreview } from "../../../domain/keyword-lab.ts";
import { keywordWarningMessage } from "../../../domain/keyword-lint.ts";
import { dateText, numberText } from "../../language/format.ts";
import { KeywordLab, selectPreview } from "../../machines/keyword-lab/keyword-lab.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { Card, Box, Grid, Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { passFocusOnRemoval } from "../../ui/lost-focus.ts";
import { Mark } from "../../ui/Mark.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { piecesOf } from "../conversation/pieces.ts";
import css from "./KeywordLab.module.css";

type NameOf = (stage: string | null) => string;

export function KeywordLabSection() {
  const id = useId();
  const [lab, send] = KeywordLab.use();
  const { tried, problem } = lab.context;
  const [place, preview] = [lab.value, selectPreview(lab)];
  if (place === "absent") return null;
  const isTrying = place === "trying";
  const names = new Map(tried.map(({ id: known, name }, index) => [known ?? `new-${index + 1}`, name]));
  const nameOf: NameOf = (stage) => (stage === null ? t`no stage` : (names.get(stage) ?? t`a stage that is gone`));
  return (
    <Box as="section" before={5} aria-labelledby={id}>
      <Stack as={Card} gap={4}>
        <Row as="header" wraps justify="between" gap={3}>
          <div>
            <h2 id={id}>{t`Try before you save`}</h2>
            <Note>{t`What these words would have done to the messages that people sent you.`}</Note>
          </div>
          <Row wraps gap={2} share="less" className={css["actions"]}>
            {(lab.can({ type: "lab.try" }) || isTrying) && (
              <Button isPending={isTrying} onClick={() => send({ type: "lab.try" })}>
                {place === "loadFailed"
                  ? t`Try again`
                  : place === "stale"
                    ? t`Try the words as they are now`
                    : t`Try these words on the last 90 days`}
              </Button>
            )}
            {lab.can({ type: "lab.close" }) && (
              <Button ref={passFocusOnRemoval} variant="ghost" onClick={() => send({ type: "lab.close" })}>
                {t`Close`}
              </Button>
            )}
          </Row>
        </Row>
        {isTrying && <Skeleton height="8rem" />}
        {place === "loadFailed" && <Mark>{problem}</Mark>}
        {place === "stale" && (
          <Text pad={[2, 3]} tone="warn" tint="warn" className={css["stale"]} role="status">
            {t`The words were edited after these figures were calculated.`}
          </Text>
        )}
        {preview !== null && <Findings preview={preview} nameOf={nameOf} />}
      </Stack>
    </Box>
  );
}

function Findings({ preview, nameOf }: { preview: KeywordPreview; nameOf: NameOf }) {
  const { scanned, since, before, after, changes, changes_total, overlaps, overlaps_total, warnings } = preview;
  const all = Math.max(changes_total, changes.length);
  return (
    <>
      <Grid as="dl" columns="repeat(auto-fit, minmax(9rem, 1fr))" gap={3}>
        <Figure name={t`Messages looked at`} count={scanned} />
        <Figure name={t`Moves by the saved words`} count={before} />
        <Figure name={t`Moves by these words`} count={after} />
        <Figure name={t`Messages with another outcome`} count={all} />
      </Grid>
      {since !== null && <Note>{t`Messages since ${{ since: dateText(since) ?? since }} were looked at.`}</Note>}
      {warnings.length > 0 && (
        <Part title={t`Look again at`}>
          <Stack as="ul" gap={1} className={css["list"]}>
            {warnings.map((warning) => (
              <li key={`${warning.stage} ${warning.keyword} ${warning.code}`}>
                <Trans>
                  <strong dir="auto">{warning.keyword}</strong> in <bdi>{nameOf(warning.stage)}</bdi>:{" "}
                  {{ words: translate(keywordWarningMessage(warning)) }}
                </Trans>
              </li>
            ))}
          </Stack>
        </Part>
      )}
      {overlaps.length > 0 && (
        <Part title={t`Words of more than one stage`}>
          <Stack as="ul" gap={1} className={css["list"]}>
            {overlaps.map(({ keyword, stage, other, other_stage, kind }) => (
              <li key={`${stage} ${keyword} ${other_stage} ${other}`}>
                {kind === "same" ? (
                  <Trans>
                    <strong dir="auto">{keyword}</strong> of <bdi>{nameOf(stage)}</bdi> is also a word{" "}
                    <strong dir="auto">{other}</strong> of <bdi>{nameOf(other_stage)}</bdi>.
                  </Trans>
                ) : (
                  <Trans>
                    <strong dir="auto">{keyword}</strong> of <bdi>{nameOf(stage)}</bdi> holds the word{" "}
                    <strong dir="auto">{other}</strong> of <bdi>{nameOf(other_stage)}</bdi>.
                  </Trans>
                )}
              </li>
            ))}
          </Stack>
          <Rest listed={overlaps.length} all={overlaps_total} />
        </Part>
      )}
      <Part title={t`What would have been different`}>
        {changes.length === 0 ? (
          <p>{t`Nothing: every message would have had the same outcome.`}</p>
        ) : (
          <Stack as="ol" gap={3} scroll="26rem">
            {changes.map((change, place) => (
              <Change key={`${change.lead_id} ${change.at} ${place}`} change={change} nameOf={nameOf} />
            ))}
          </Stack>
        )}
        <Rest listed={changes.length} all={all} />
      </Part>
    </>
  );
}

const Figure = ({ name, count }: { name: string; count: number }) => (
  <div className={css["figure"]}>
    <Note as="dt">{name}</Note>
    <dd>{numberText(count)}</dd>
  </div>
);

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack gap={2}>
    <Text as="h3" size="md">
      {title}
    </Text>
    {children}
  </Stack>
);

const Rest = ({ listed, all }: { listed: number; all: number }) => {
  return all > listed ? (
    <Note>{t`The newest ${{ listed: numberText(listed) }} of ${{ all: numberText(all) }}.`}</Note>
  ) : null;
};

function Change({ change, nameOf }: { change: KeywordChange; nameOf: NameOf }) {
  const { lead_id, name, at, excerpt, keyword, matched, from, before, after } = change;
  const stage = nameOf(after);
  const savedStage = nameOf(before);
  return (
    <Stack as="li" surface="quote" className={css["change"]}>
      <Text size="sm">
        <Link href={`/leads/${encodeURIComponent(lead_id)}`}>
          <bdi>{name || t`A lead without a name`}</bdi>
        </Link>{" "}
        · <time dateTime={at}>{dateText(at)}</time>
      </Text>
      <p dir="auto">
        {piecesOf(excerpt, matched, null).map(({ text, isMatched }, place) =>
          isMatched ? (
            <mark key={place} className={css["matched"]} title={t`Keyword: ${keyword}`}>
              {text}
            </mark>
          ) : (
            <span key={place}>{text}</span>
          ),
        )}
      </p>
      <Note className={css["outcome"]}>
        {after === from ? (
          <Trans>
            With these words it <strong>stays in {stage}</strong>; with the saved ones it goes to {savedStage}.
          </Trans>
        ) : before === from ? (
          <Trans>
            With these words it <strong>goes to {stage}</strong>; with the saved ones it stays in {savedStage}.
          </Trans>
        ) : (
          <Trans>
            With these words it <strong>goes to {stage}</strong>; with the saved ones it goes to {savedStage}.
          </Trans>
        )}
      </Note>
    </Stack>
  );
}
