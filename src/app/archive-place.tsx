import { useMemo } from "react";
import { createArchive } from "../machines/archive/index.ts";
import { createArchiveGateway } from "../services/archive.ts";
import { saveFile } from "../services/files.ts";
import { ArchiveCard } from "../views/archive/ArchiveCard.tsx";
import type { Services } from "./services.ts";

/** The account as a file, and such a file brought in: after what the screen itself is about. */
export default function ArchivePlace({ services: { http, notifier, logger } }: { services: Services }) {
  const logic = useMemo(
    () => createArchive({ archives: createArchiveGateway(http), saveFile, notifier, logger }),
    [http, notifier, logger],
  );
  return <ArchiveCard logic={logic} />;
}
