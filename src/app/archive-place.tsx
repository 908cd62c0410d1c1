import { useMemo } from "react";
import { createArchive } from "../machines/archive/archive.machine.ts";
import { ArchiveCard } from "../views/archive/ArchiveCard.tsx";
import type { Services } from "./services.ts";

/** Export and import of the whole account. Loaded after the rest of the screen. */
export default function ArchivePlace({ services }: { services: Services }) {
  return <ArchiveCard logic={useMemo(() => createArchive(services), [services])} />;
}
