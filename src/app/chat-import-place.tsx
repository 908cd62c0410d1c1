import { useMemo } from "react";
import { ChatImportCard } from "../views/chat-import/ChatImportCard.tsx";
import { chatImportOf } from "./chat-import.ts";
import type { Services } from "./services.ts";

/** The offer to import existing chats, where it comes after the screen. */
export default function ChatImportPlace({ services }: { services: Services }) {
  const logic = useMemo(() => chatImportOf(services), [services]);
  return <ChatImportCard logic={logic} />;
}
