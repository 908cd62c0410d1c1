import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { translate } from "#language";
import {
  Telegram,
  selectScreen,
  selectIsCodeTabDisabled,
  selectIsQrTabDisabled,
  selectTab,
} from "../../machines/telegram/telegram.machine.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Card, Box, Grid, Stack } from "../../ui/layout.tsx";
import type { TextDraft } from "../../machines/kit/page.ts";
import { LoadError } from "../../ui/LoadError.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Skeleton } from "../../ui/Loading.tsx";
import { ConnectedPanel } from "./ConnectedPanel.tsx";
import css from "./ConnectTelegramView.module.css";
import type { ControlId } from "../../commands/commands.ts";
import { Tabs } from "../../ui/Tabs.tsx";
import { CodeFlow } from "./CodeFlow.tsx";
import { QrFlow } from "./QrFlow.tsx";

export type ConnectTelegramViewProps = {
  /** Further cards of a connected account. */
  connected: ReactNode;
  /** The draft of the phone number. */
  phoneDraft?: TextDraft;
};

const TONES = { error: "bad", success: "good", info: "info" } as const;

export function ConnectTelegramView({ connected, phoneDraft }: ConnectTelegramViewProps) {
  const screen = Telegram.useSelector(selectScreen);
  return (
    <Box max="62rem">
      <PageHeader
        title={t`Connect Telegram`}
        subtitle={t`Your own account receives the messages and sends the follow-ups.`}
      />
      {screen !== "connected" && <StatusMessage />}
      {screen === "checking" && <Checking />}
      {screen === "connected" && (
        <>
          <ConnectedPanel message={<StatusMessage />} />
          {connected}
        </>
      )}
      {screen === "disconnected" && (
        <Grid columns="minmax(0, 1fr) minmax(14rem, 19rem)" align="start" gap={5} folds>
          <Card>
            <UncheckedMark />
            <ConnectTabs phoneDraft={phoneDraft} />
          </Card>
          <Reassurance />
        </Grid>
      )}
    </Box>
  );
}

/** It is unknown whether an account is connected, so the login is offered too. */
function UncheckedMark() {
  const [chart, send] = Telegram.use();
  const retry = { type: "reading.retry" } as const;
  if (!chart.can(retry)) return null;
  return (
    <Box after={4}>
      <LoadError what={t`whether an account is connected`} onRetry={() => send(retry)} />
    </Box>
  );
}

function StatusMessage() {
  const message = Telegram.useSelector((chart) => chart.context.message);
  if (message === null) return null;
  return (
    <Banner after={4} tone={TONES[message.tone]}>
      <p>{translate(message.text)}</p>
      {message.detail !== null && !message.isOfField && <p className={css["detail"]}>{translate(message.detail)}</p>}
    </Banner>
  );
}

function Checking() {
  return (
    <Stack as={Card} gap={4} tone="muted">
      <p role="status">{t`Loading ...`}</p>
      <Skeleton width="16rem" height="2.25rem" />
      <Skeleton width="100%" height="2.25rem" />
    </Stack>
  );
}

function Reassurance() {
  return (
    <aside className={css["aside"]} aria-label={t`Good to know`}>
      <Box as="h2" after={3}>
        {t`Good to know`}
      </Box>
      <Stack as="ul" gap={4} tone="muted">
        <Box as="li" surface="quote">
          <Trans>
            <strong className={css["fact"]}>Use Code is the safer way.</strong> Telegram is stricter about QR logins by
            apps that send automatically.
          </Trans>
        </Box>
        <Box as="li" surface="quote">
          <Trans>
            <strong className={css["fact"]}>Your password is passed on, never kept.</strong> It goes to Telegram to
            finish the login and is then forgotten.
          </Trans>
        </Box>
        <Box as="li" surface="quote">
          <Trans>
            <strong className={css["fact"]}>You can leave at any time.</strong> Disconnect here, or end the session in
            Telegram under Settings, Devices.
          </Trans>
        </Box>
      </Stack>
    </aside>
  );
}

/** The two login methods. A tab is disabled while switching to it would interrupt the other. */
function ConnectTabs({ phoneDraft }: { phoneDraft: TextDraft | undefined }) {
  const tab = Telegram.useSelector(selectTab);
  const isCodeDisabled = Telegram.useSelector(selectIsCodeTabDisabled);
  const isQrDisabled = Telegram.useSelector(selectIsQrTabDisabled);
  const send = Telegram.useSend();
  return (
    <Tabs
      label={t`How to connect`}
      selected={tab}
      onSelect={(id) => send({ type: "tab.choose", tab: id === "qr" ? "qr" : "code" })}
      items={[
        {
          id: "code",
          label: t`Use Code`,
          command: "telegram.code" satisfies ControlId,
          isDisabled: isCodeDisabled,
          content: <CodeFlow phoneDraft={phoneDraft} />,
        },
        {
          id: "qr",
          label: t`Use QR`,
          command: "telegram.qr" satisfies ControlId,
          isDisabled: isQrDisabled,
          content: <QrFlow />,
        },
      ]}
    />
  );
}
