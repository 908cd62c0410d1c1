import { useMemo } from "react";
import { createChatImport } from "../machines/chat-import/chat-import.machine.ts";
import { ChatImportCard } from "../views/chat-import/ChatImportCard.tsx";
import type { Services } from "./services.ts";

/** The offer to import existing chats, on screens that load it last. */
export default function ChatImportPlace({ services }: { services: Services }) {
  const logic = useMemo(() => createChatImport(services), [services]);
  return <ChatImportCard logic={logic} />;
}
