import { t } from "@lingui/core/macro";
import { DryRun, selectReview } from "../../machines/dry-run/dry-run.machine.ts";
import { FormProblem } from "../../ui/form.tsx";
import { LoadError } from "../../ui/LoadError.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { Card, Stack } from "../../ui/layout.tsx";

export function DryRunCard() {
  return (
    <Stack as={Card} gap={3}>
      <h3>{t`Try it without sending`}</h3>
      <DryRunSwitch />
    </Stack>
  );
}

/** Switches dry run on; switching it off opens the banner's review. */
export function DryRunSwitch() {
  const [chart, send] = DryRun.use();
  const { isOn, problem } = chart.context;
  const canSwitch = chart.can({ type: "dryRun.start" }) || chart.can({ type: "dryRun.leave" });
  if (chart.matches("loading")) return <Skeleton height="2.5rem" />;
  if (chart.matches("loadFailed"))
    return <LoadError what={t`whether it is a dry run`} onRetry={() => send({ type: "reading.retry" })} />;
  if (isOn === null) return null;
  return (
    <>
      <Switch
        label={t`Dry run`}
        description={
          selectReview(chart) === null
            ? t`Automatic messages are planned and logged, but not sent. Messages that you send yourself go out.`
            : t`The banner at the top of the page shows what would have gone out, and lets you send from now on.`
        }
        checked={isOn || chart.matches("starting")}
        aria-disabled={!canSwitch || undefined}
        onChange={() => send({ type: isOn ? "dryRun.leave" : "dryRun.start" })}
      />
      {!isOn && <FormProblem>{problem}</FormProblem>}
    </>
  );
}
