import { useMemo } from "react";
import { createArchive } from "../machines/archive/archive.machine.ts";
import { ArchiveCard } from "../views/archive/ArchiveCard.tsx";
import type { Services } from "./services.ts";

/** The account as a file, and such a file brought in: after what the screen itself is about. */
export default function ArchivePlace({ services }: { services: Services }) {
  return <ArchiveCard logic={useMemo(() => createArchive(services), [services])} />;
}
