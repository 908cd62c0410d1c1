import { useMemo } from "react";
import {
  type LedgerFilters,
  LedgerProvider,
  createLedger,
  filtersOf,
  rangeOf,
  searchOf,
} from "../../machines/ledger/index.ts";
import { createScreenAddress } from "../../services/address.ts";
import { createLedgerGateway } from "../../services/ledger.ts";
import { ActivityView } from "../../views/activity/ActivityView.tsx";
import type { Services } from "../services.ts";

export default function ActivityRoute({ services }: { services: Services }) {
  const { logic, input } = useMemo(() => ledgerOf(services), [services]);
  return (
    <LedgerProvider logic={logic} options={{ input }}>
      <ActivityView />
    </LedgerProvider>
  );
}

function ledgerOf({ http, events, logger }: Services) {
  const gateway = createLedgerGateway(http);
  const address = createScreenAddress("/activity");
  const read = () => filtersOf(address.read());
  const logic = createLedger({
    ledger: {
      listSends: ({ from, to, ...request }, signal) =>
        gateway.listSends({ ...request, ...rangeOf({ from, to }) }, signal),
    },
    events,
    address: {
      read,
      write: (filters: LedgerFilters) => address.write(searchOf(filters)),
      subscribe: address.subscribe,
    },
    logger,
  });
  return { logic, input: read() };
}
