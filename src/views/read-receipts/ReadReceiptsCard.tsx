import { useLingui } from "@lingui/react/macro";
import { useMemo } from "react";
import type { Page } from "../../machines/kit/page.ts";
import { ReadReceipts, createReadReceipts } from "../../machines/read-receipts/read-receipts.machine.ts";
import { Card, Stack } from "../../ui/layout.tsx";
import { FormProblem } from "../../ui/form.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { ReadProblems } from "../shell/ReadProblems.tsx";

export function ReadReceiptsCard({ page }: { page: Page }) {
  const { t } = useLingui();
  const logic = useMemo(() => createReadReceipts(page), [page]);
  return (
    <ReadReceipts.Provider logic={logic}>
      <Stack as={Card} justify="start" gap={3}>
        <h3>{t`Read receipts`}</h3>
        <ReadReceiptsSwitch />
      </Stack>
    </ReadReceipts.Provider>
  );
}

export function ReadReceiptsSwitch() {
  const { t } = useLingui();
  const [chart, send] = ReadReceipts.use();
  const { isOn, problem } = chart.context;
  if (chart.matches("loading")) return <Skeleton height="2.5rem" />;
  if (chart.hasTag("loadFailed")) return <ReadProblems chart={chart} send={send} />;
  return (
    <>
      <Switch
        label={t`Show people that I have read their messages`}
        description={t`Otherwise Telegram tells them only when you answer.`}
        // While a change is being saved, the switch shows that change.
        checked={isOn !== chart.matches("saving")}
        aria-disabled={!chart.can({ type: "receipts.switch" }) || undefined}
        onChange={() => send({ type: "receipts.switch" })}
      />
      <FormProblem>{problem}</FormProblem>
    </>
  );
}
