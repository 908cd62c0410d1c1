import { type ReactNode, useId } from "react";
import { Link } from "wouter";
import type { KeywordChange, KeywordPreview } from "../../../domain/keyword-lab.ts";
import { dateText, numberText } from "../../machines/kit/format.ts";
import { KeywordLab, selectPreview } from "../../machines/keyword-lab/keyword-lab.machine.ts";
import { Button } from "../../ui/Button.tsx";
import { Card } from "../../ui/Card.tsx";
import { handFocusOn } from "../../ui/focus.ts";
import { Mark } from "../../ui/Mark.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { piecesOf } from "../conversation/pieces.ts";
import css from "./KeywordLab.module.css";

type NameOf = (stage: string | null) => string;

/** Tries the words as they are typed, before they are saved. */
export function KeywordLabSection() {
  const id = useId();
  const [lab, send] = KeywordLab.use();
  const { tried, problem } = lab.context;
  const [place, preview] = [lab.value, selectPreview(lab)];
  if (place === "absent") return null;
  const isTrying = place === "trying";
  const names = new Map(tried.map(({ id: known, name }, index) => [known ?? `new-${index + 1}`, name]));
  const nameOf: NameOf = (stage) => (stage === null ? "no stage" : (names.get(stage) ?? "a stage that is gone"));
  return (
    <section aria-labelledby={id} className={css["lab"]}>
      <Card className={css["card"]}>
        <header className={css["head"]}>
          <div>
            <h2 id={id} className={css["title"]}>
              Try before you save
            </h2>
            <p className={css["note"]}>What these words would have done to the messages that people sent you.</p>
          </div>
          <div className={css["actions"]}>
            {(lab.can({ type: "lab.try" }) || isTrying) && (
              <Button isPending={isTrying} onClick={() => send({ type: "lab.try" })}>
                {place === "unread"
                  ? "Try again"
                  : place === "stale"
                    ? "Try the words as they are now"
                    : "Try these words on the last 90 days"}
              </Button>
            )}
            {lab.can({ type: "lab.close" }) && (
              <Button ref={handFocusOn} variant="ghost" onClick={() => send({ type: "lab.close" })}>
                Close
              </Button>
            )}
          </div>
        </header>
        {isTrying && <Skeleton height="8rem" />}
        {place === "unread" && <Mark>{problem}</Mark>}
        {place === "stale" && (
          <p className={css["stale"]} role="status">
            The words were edited since: these figures are of before.
          </p>
        )}
        {preview !== null && <Findings preview={preview} nameOf={nameOf} />}
      </Card>
    </section>
  );
}

function Findings({ preview, nameOf }: { preview: KeywordPreview; nameOf: NameOf }) {
  const { scanned, since, before, after, changes, changes_total, overlaps, overlaps_total, warnings } = preview;
  const all = Math.max(changes_total, changes.length);
  return (
    <>
      <dl className={css["figures"]}>
        <Figure name="Messages looked at" count={scanned} />
        <Figure name="Moves by the saved words" count={before} />
        <Figure name="Moves by these words" count={after} />
        <Figure name="Messages with another outcome" count={all} />
      </dl>
      {since !== null && <p className={css["note"]}>Messages since {dateText(since)} were looked at.</p>}
      {warnings.length > 0 && (
        <Part title="Look again at">
          <ul className={css["list"]}>
            {warnings.map(({ keyword, stage, code, words }) => (
              <li key={`${stage} ${keyword} ${code}`}>
                <strong dir="auto">{keyword}</strong> in <bdi>{nameOf(stage)}</bdi>: {words}
              </li>
            ))}
          </ul>
        </Part>
      )}
      {overlaps.length > 0 && (
        <Part title="Words of more than one stage">
          <ul className={css["list"]}>
            {overlaps.map(({ keyword, stage, other, other_stage, kind }) => (
              <li key={`${stage} ${keyword} ${other_stage} ${other}`}>
                <strong dir="auto">{keyword}</strong> of <bdi>{nameOf(stage)}</bdi>{" "}
                {kind === "same" ? "is also a word" : "holds the word"} <strong dir="auto">{other}</strong> of{" "}
                <bdi>{nameOf(other_stage)}</bdi>.
              </li>
            ))}
          </ul>
          <Rest listed={overlaps.length} all={overlaps_total} />
        </Part>
      )}
      <Part title="What would have been different">
        {changes.length === 0 ? (
          <p>Nothing: every message would have led where it did.</p>
        ) : (
          <ol className={css["changes"]}>
            {changes.map((change, place) => (
              <Change key={`${change.lead_id} ${change.at} ${place}`} change={change} nameOf={nameOf} />
            ))}
          </ol>
        )}
        <Rest listed={changes.length} all={all} />
      </Part>
    </>
  );
}

const Figure = ({ name, count }: { name: string; count: number }) => (
  <div className={css["figure"]}>
    <dt>{name}</dt>
    <dd>{numberText(count)}</dd>
  </div>
);

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={css["part"]}>
    <h3 className={css["heading"]}>{title}</h3>
    {children}
  </div>
);

const Rest = ({ listed, all }: { listed: number; all: number }) =>
  all > listed ? <p className={css["note"]}>{`The newest ${numberText(listed)} of ${numberText(all)}.`}</p> : null;

/** Where a lead goes by some words: staying is no move. */
const outcome = (from: string | null, to: string | null, nameOf: NameOf): string =>
  from === to ? `stays in ${nameOf(from)}` : `goes to ${nameOf(to)}`;

function Change({ change, nameOf }: { change: KeywordChange; nameOf: NameOf }) {
  const { lead_id, name, at, excerpt, keyword, matched, from, before, after } = change;
  return (
    <li className={css["change"]}>
      <p className={css["who"]}>
        <Link href={`/leads/${encodeURIComponent(lead_id)}`}>
          <bdi>{name || "A lead without a name"}</bdi>
        </Link>{" "}
        · <time dateTime={at}>{dateText(at)}</time>
      </p>
      <p className={css["excerpt"]} dir="auto">
        {piecesOf(excerpt, matched, null).map(({ text, isMatched }, place) =>
          isMatched ? (
            <mark key={place} className={css["matched"]} title={`Keyword: ${keyword}`}>
              {text}
            </mark>
          ) : (
            <span key={place}>{text}</span>
          ),
        )}
      </p>
      <p className={css["outcome"]}>
        By these words it <strong>{outcome(from, after, nameOf)}</strong>; by the saved ones it{" "}
        {outcome(from, before, nameOf)}.
      </p>
    </li>
  );
}
