import { msg } from "@lingui/core/runtime-macro";
import { useMemo, useState } from "react";
import { Account, createAccount } from "../../machines/account/account.machine.ts";
import { Billing, createBilling } from "../../machines/billing/billing.machine.ts";
import { createTelegramGateway } from "../../services/telegram.ts";
import { ConnectOffer } from "../../views/subscribe/ConnectOffer.tsx";
import { SubscribeView } from "../../views/subscribe/SubscribeView.tsx";
import { createPart } from "../loading/loadable.tsx";
import type { Services } from "../services.ts";

const ArchiveCard = createPart(msg`the zip of your data`, () => import("../../views/archive/ArchiveCard.tsx"));

export default function SubscribeRoute({ services }: { services: Services }) {
  const billing = useMemo(
    () => createBilling(services, { refreshSubscription: services.refreshSubscription }),
    [services],
  );
  const account = useMemo(
    () =>
      createAccount(services, {
        endSession: () => services.session.send({ type: "session.end" }),
        checkSession: () => void services.auth.refresh(),
      }),
    [services],
  );
  const [isBack] = useState(() => new URLSearchParams(window.location.search).has("from"));
  const readWasConnected = async (signal: AbortSignal) => {
    const { connected, phone } = await createTelegramGateway(services.http).fetchStatus(signal);
    return connected || phone !== null;
  };
  const [email] = useState(() => services.session.getSnapshot().context.user?.email ?? "");
  return (
    <Billing.Provider logic={billing} options={{ input: { isBack } }}>
      <Account.Provider logic={account} options={{ input: { email } }}>
        <SubscribeView next={isBack && <ConnectOffer readWasConnected={readWasConnected} logger={services.logger} />} />
        <ArchiveCard page={services} />
      </Account.Provider>
    </Billing.Provider>
  );
}
