import { useMemo } from "react";
import { filtersOf } from "../../machines/ledger/ledger.address.ts";
import { Ledger, createLedger } from "../../machines/ledger/ledger.machine.ts";
import { createScreenAddress } from "../../services/address.ts";
import { ActivityView } from "../../views/activity/ActivityView.tsx";
import type { Services } from "../services.ts";

export default function ActivityRoute({ services }: { services: Services }) {
  const { logic, input } = useMemo(() => {
    const address = createScreenAddress("/activity");
    return { logic: createLedger(services, { address }), input: filtersOf(address.read()) };
  }, [services]);
  return (
    <Ledger.Provider logic={logic} options={{ input }}>
      <ActivityView />
    </Ledger.Provider>
  );
}
