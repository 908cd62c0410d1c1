import { plural, t } from "@lingui/core/macro";
import { Ban, MessageSquare, Pause, Play, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { newKey } from "../../../domain/new-key.ts";
import type { Stage } from "../../../domain/stage.ts";
import type { Tag } from "../../../domain/tag.ts";
import { holdUntil } from "../../machines/automation-hold/automation-hold.until.ts";
import { numberText } from "../../language/format.ts";
import {
  type BatchAction,
  type BatchWhere,
  Selection,
  selectCount,
  selectIsBusy,
} from "../../machines/selection/selection.machine.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { DateField, PARTIAL_DATE } from "../../ui/DateField.tsx";
import { FormProblem } from "../../ui/form.tsx";
import { passFocusOnRemoval, passFocusToHeading } from "../../ui/lost-focus.ts";
import { NativeSelect, Options } from "../../ui/Field.tsx";
import { BatchProgress } from "./BatchProgress.tsx";
import { Row } from "../../ui/layout.tsx";
import css from "./LeadTools.module.css";

type BatchBarProps = {
  stages: readonly Stage[];
  tags: readonly Tag[];
  /** Opens a bulk message to exactly the selected leads. */
  onMessage: (where: BatchWhere) => void;
};

/** Actions on the selected leads with their number, or the progress of a running action. */
export function BatchBar(props: BatchBarProps) {
  const count = Selection.useSelector(selectCount);
  const isBusy = Selection.useSelector(selectIsBusy);
  const isFollowing = Selection.useSelector(({ context }) => context.job !== null);
  const problem = Selection.useSelector(({ context }) => context.problem);
  const send = Selection.useSend();
  if (count === 0 && !isBusy && problem === null) return null;
  return (
    <Row
      as="section"
      wraps
      gap={[2, 4]}
      pad={[2, 4]}
      surface="raised"
      ref={passFocusToHeading}
      className={css["bar"]}
      aria-label={t`Selected leads`}
    >
      {count > 0 && <Chosen />}
      {isBusy && <BatchProgress />}
      {count > 0 && !isFollowing && <Actions {...props} />}
      <FormProblem>{problem}</FormProblem>
      {problem !== null && count === 0 && (
        <IconButton label={t`Close`} icon={<X />} onClick={() => send({ type: "selection.clear" })} />
      )}
    </Row>
  );
}

/** The number of selected leads, and a button to select all matches. */
function Chosen() {
  const [chart, send] = Selection.use();
  const { isAll, shown } = chart.context;
  const count = selectCount(chart);
  const selectAll = { type: "matching.select" } as const;
  const label = isAll
    ? t`${plural({ count }, { one: "All # that match", other: "All # that match" })}`
    : t`${plural({ count }, { one: "# selected", other: "# selected" })}`;
  return (
    <Row wraps gap={2} className={css["chosen"]}>
      <strong role="status">{label}</strong>
      {chart.can(selectAll) && (
        <Button ref={passFocusOnRemoval} size="small" variant="ghost" onClick={() => send(selectAll)}>
          {t`Select all ${{ total: numberText(shown.total) }} that match`}
        </Button>
      )}
      <IconButton label={t`Clear selection`} icon={<X />} onClick={() => send({ type: "selection.clear" })} />
    </Row>
  );
}

/** Returns a function that starts an action under a new key. */
function useStart() {
  const send = Selection.useSend();
  return (action: BatchAction, about = "") => send({ type: "batch.start", action, about, key: newKey() });
}

function Actions({ stages, tags, onMessage }: BatchBarProps) {
  const [chart] = Selection.use();
  const { isAll, ids, shown } = chart.context;
  const count = selectCount(chart);
  const start = useStart();
  const number = numberText(count);
  return (
    <Row wraps gap={[2, 3]} ref={passFocusOnRemoval}>
      <Choosing
        label={t`Stage to move to`}
        items={stages}
        actions={[
          {
            label: t`Move ${number}`,
            act: (stage) => start({ type: "move", stage_id: stage.id }, stage.name ?? ""),
          },
        ]}
      />
      {tags.length > 0 && (
        <Choosing
          label={t`Tag to add or remove`}
          items={tags}
          actions={[
            {
              label: t`Tag ${number}`,
              act: (tag) => start({ type: "tag", tag_ids: [tag.id] }, tag.name),
            },
            {
              label: t`Untag ${number}`,
              act: (tag) => start({ type: "untag", tag_ids: [tag.id] }, tag.name),
            },
          ]}
        />
      )}
      <Hold count={number} />
      <Act icon={<Play />} label={t`Resume ${number}`} onPress={() => start({ type: "resume" })} />
      <Act
        icon={<MessageSquare />}
        label={t`Message ${number}`}
        onPress={() => onMessage(isAll ? { query: shown.query } : { ids })}
      />
      <Act
        icon={<Ban />}
        label={t`${plural({ count }, { one: "Not a lead", other: "Not leads: #" })}`}
        onPress={() => start({ type: "exclude" })}
      />
    </Row>
  );
}

/** Holds until a day if one is given, otherwise until resumed. */
function Hold({ count }: { count: string }) {
  const [date, setDate] = useState("");
  const start = useStart();
  const hold = () => {
    if (date === PARTIAL_DATE) return;
    if (date === "") start({ type: "hold" });
    else start({ type: "hold", until: holdUntil({ choice: "date", date }, 0) ?? "" }, date);
  };
  return (
    <Row wraps gap={2} className={css["choosing"]} data-fields="small">
      <Act icon={<Pause />} label={t`Hold ${count}`} onPress={hold} />
      <DateField
        label={t`Hold until, from 09:00 on that day; without a day until resumed`}
        isLabelHidden
        value={date}
        onChange={setDate}
      />
    </Row>
  );
}

/** During an action the others are disabled, and the focus stays. */
function Act({ icon, label, onPress }: { icon: ReactNode; label: string; onPress: () => void }) {
  const isBusy = Selection.useSelector(selectIsBusy);
  return (
    <Button size="small" className={css["act"]} isAriaDisabled={isBusy} onClick={onPress}>
      {icon}
      {label}
    </Button>
  );
}

type Named = { id: string; name: string | null };
type ChoosingProps<Item extends Named> = {
  label: string;
  items: readonly Item[];
  actions: readonly { label: string; act: (item: Item) => void }[];
};

/** A select and its actions: choosing alone changes nothing. */
function Choosing<Item extends Named>({ label, items, actions }: ChoosingProps<Item>) {
  const [id, setId] = useState("");
  const isBusy = Selection.useSelector(selectIsBusy);
  const item = items.find((candidate) => candidate.id === id) ?? items[0];
  return (
    <Row wraps gap={2} className={css["choosing"]} data-fields="small">
      <NativeSelect label={label} isLabelHidden value={item?.id ?? ""} onChange={(event) => setId(event.target.value)}>
        <Options items={items} />
      </NativeSelect>
      {actions.map(({ label, act }, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- its label changes with the count, its position never
        <Button
          key={place}
          size="small"
          disabled={item === undefined}
          isAriaDisabled={isBusy}
          onClick={() => item && act(item)}
        >
          {label}
        </Button>
      ))}
    </Row>
  );
}
