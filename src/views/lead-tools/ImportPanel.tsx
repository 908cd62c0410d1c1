import { translate } from "#language";
import { msg, plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import type { Field } from "../../../domain/field.ts";
import { Fields, itemsAs } from "../../machines/catalog/catalog.machine.ts";
import { namesText, numberText } from "../../language/format.ts";
import { type ImportResult, LeadImport } from "../../machines/lead-import/lead-import.machine.ts";
import { announced, FormProblem } from "../../ui/form.tsx";
import { Button } from "../../ui/Button.tsx";
import { NativeSelect } from "../../ui/Field.tsx";
import { FileField } from "../../ui/FileInput.tsx";
import { Spinner } from "../../ui/Loading.tsx";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import css from "./LeadTools.module.css";

const TARGETS = { telegram_user_id: msg`Telegram id`, username: msg`Username`, notes: msg`Notes`, tags: msg`Tags` };

/** Imports a CSV file: mapping, preview, import. */
export function ImportPanel() {
  const fields = Fields.useSelector(itemsAs<Field>());
  const [chart, send] = LeadImport.use();
  const { value: step } = chart;
  const { problem, result } = chart.context;
  const targets = Object.fromEntries(fields.map(({ id, name }) => [name, `field.${id}`]));
  return (
    <Stack gap={3} share="less">
      <FileField
        label={t`CSV file`}
        description={t`Its first row names the columns. People are found by Telegram id or username; an empty cell changes nothing.`}
        errorMessage={step === "awaitingFile" ? announced(problem) : undefined}
        accept=".csv,text/csv"
        disabled={!chart.can({ type: "file.choose", file: null, fields: {} })}
        onFile={(file) => send({ type: "file.choose", file, fields: targets })}
      />
      {step !== "awaitingFile" && <FormProblem>{problem}</FormProblem>}
      {(step === "readingHead" || step === "trying" || step === "importing") && (
        <Row as="p" gap={2} role="status">
          <Spinner />{" "}
          {{ readingHead: t`Reading the file…`, trying: t`Checking the file…`, importing: t`Importing…` }[step]}
        </Row>
      )}
      <Preview fields={fields} />
      {result !== null && <Outcome result={result} fields={fields} isDone={step === "imported"} />}
      <Steps />
    </Stack>
  );
}

function Steps() {
  const [chart, send] = LeadImport.use();
  const { value: step } = chart;
  const check = { type: "import.try" } as const;
  const run = { type: "import.run" } as const;
  if (step === "awaitingMapping" || step === "trying")
    return (
      <>
        {step === "awaitingMapping" && !chart.can(check) && (
          <p>{t`Choose above which column holds the Telegram id or the username, and what the others are.`}</p>
        )}
        <Button
          isAtStart
          variant="primary"
          isPending={step === "trying"}
          disabled={!chart.can(check)}
          onClick={() => send(check)}
        >
          {t`See what changes`}
        </Button>
      </>
    );
  if (step === "tried" || step === "importing")
    return (
      <Button
        isAtStart
        variant="primary"
        isPending={step === "importing"}
        disabled={!chart.can(run)}
        onClick={() => send(run)}
      >
        {t`Change ${plural({ changed: chart.context.result?.changed ?? 0 }, { one: "# lead", other: "# leads" })}`}
      </Button>
    );
  return null;
}

function Preview({ fields }: { fields: readonly Field[] }) {
  const [chart, send] = LeadImport.use();
  const { preview, mapping } = chart.context;
  if (preview === null) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll container must be reachable by keyboard
    <div className={css["scroller"]} role="region" aria-label={t`First rows`} tabIndex={0}>
      <Text as="table" size="sm" className={css["preview"]}>
        <thead>
          <tr>
            {preview.header.map((header, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- two columns may have the same name, and none ever moves
              <th key={place} scope="col">
                <span dir="auto">{header}</span>
                <NativeSelect
                  label={t`What ${header} is`}
                  isLabelHidden
                  disabled={!chart.can({ type: "mapping.change", header, target: "" })}
                  value={mapping[header] ?? ""}
                  onChange={(event) => send({ type: "mapping.change", header, target: event.target.value })}
                >
                  <option value="">{t`Leave out`}</option>
                  {targetsOf(fields).map(([target, name]) => (
                    <option key={target} value={target}>
                      {name}
                    </option>
                  ))}
                </NativeSelect>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.rows.map((cells, row) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows of a file have no other key
            <tr key={row}>
              {preview.header.map((_, place) => (
                // oxlint-disable-next-line react/no-array-index-key -- as above
                <td key={place} dir="auto">
                  {cells[place]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Text>
    </div>
  );
}

const targetsOf = (fields: readonly Field[]): [target: string, name: string][] => [
  ...Object.entries(TARGETS).map(([target, name]): [string, string] => [target, t(name)]),
  ...fields.map(({ id, name }): [string, string] => [`field.${id}`, name]),
];

function Outcome({ result, fields, isDone }: { result: ImportResult; fields: readonly Field[]; isDone: boolean }) {
  const { matched, changed, unmatched, unmatchedTotal, changes } = result;
  const names = new Map(targetsOf(fields));
  const status = isDone
    ? t`${plural({ changed }, { one: "# lead changed.", other: "# leads changed." })}`
    : t`${plural({ matched }, { one: "# lead", other: "# leads" })} found, ${{ count: numberText(changed) }} would change. Nothing has changed yet.`;
  return (
    <Stack gap={3} share="less">
      <p role="status">{status}</p>
      {!isDone && changes.length > 0 && (
        <List title={t`What would change`}>
          {changes.slice(0, 20).map(({ row, name, target, before, after }) => (
            <li key={`${row} ${target}`}>
              <Trans>
                Row {row}, <bdi>{name ?? "-"}</bdi>: {{ field: names.get(target) ?? target }}{" "}
                <bdi>{namesText(before) || t`empty`}</bdi> → <bdi>{namesText(after) || t`empty`}</bdi>
              </Trans>
            </li>
          ))}
        </List>
      )}
      {unmatchedTotal > 0 && (
        <List title={t`Rows that match nobody: ${{ unmatchedTotal: numberText(unmatchedTotal) }}`}>
          {unmatched.slice(0, 20).map(({ row, reason }) => (
            <li key={row}>{t`Row ${row}: ${{ why: translate(reason) }}`}</li>
          ))}
        </List>
      )}
    </Stack>
  );
}

const List = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className={css["list"]} open>
    <summary>{title}</summary>
    <ul>{children}</ul>
  </details>
);
