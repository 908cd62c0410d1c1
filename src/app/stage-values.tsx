import { useReading } from "../machines/reading/reading.machine.ts";
import { createValueFieldGateway } from "../services/catalog.ts";
import { StageValues } from "../views/stats/StageValues.tsx";
import type { Services } from "./services.ts";

export default function StageValuesContainer({ services: { http, logger } }: { services: Services }) {
  const field = useReading({ read: createValueFieldGateway(http).read, what: "the value field", logger });
  return <StageValues name={field.value?.name ?? null} />;
}
