import { t } from "@lingui/core/macro";
import { ReadReceipts } from "../../machines/read-receipts/read-receipts.machine.ts";
import { FormProblem } from "../../ui/form.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { SettingCard } from "../settings/SettingCard.tsx";

export function ReadReceiptsCard() {
  const [chart, send] = ReadReceipts.use();
  const { isOn, problem } = chart.context;
  return (
    <SettingCard title={t`Read receipts`} height="2.5rem" chart={chart} send={send}>
      <Switch
        label={t`Show people that I have read their messages`}
        description={t`Otherwise Telegram tells them only when you answer.`}
        // While a change is being saved, the switch shows that change.
        checked={isOn !== chart.matches("saving")}
        aria-disabled={!chart.can({ type: "receipts.switch" }) || undefined}
        onChange={() => send({ type: "receipts.switch" })}
      />
      <FormProblem>{problem}</FormProblem>
    </SettingCard>
  );
}
