import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Message } from "../../domain/message.ts";
import { MessageMedia } from "../../src/views/conversation/MessageMedia.tsx";
import { messageNumber } from "../support/messages.ts";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const media = { url: "/api/files/1", name: null, size: 9, width: 320, height: 240, seconds: null, preview: null };
const ofKind = (kind: Message["kind"]) => messageNumber(1, { kind, direction: "in" });

test.each([
  [409, "Connect that account to see it.", false],
  [503, "The file cannot be fetched from Telegram right now. Try again.", true],
])("a picture refused with %s shows the server's message", async (status, message, canRetry) => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ code: "any", message }), { status }));
  render(<MessageMedia message={ofKind("photo")} media={media} />);
  fireEvent.error(screen.getByAltText(/from them/));
  expect(await screen.findByText(message)).not.toEqual(null);
  expect(screen.queryByRole("button", { name: "Try again" }) !== null).toEqual(canRetry);
});

test.each(["video", "audio"] as const)("%s that does not load says why", async (kind) => {
  const message = "Telegram asks to wait before more files are fetched.";
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ code: "files_wait", message }), { status: 429 }));
  const onLost = vi.fn<(id: string) => void>();
  render(<MessageMedia message={ofKind(kind)} media={media} onLost={onLost} />);
  fireEvent.error(document.querySelector(kind)!);
  expect((await screen.findByRole("alert")).textContent).toEqual(message);
  expect(onLost).toHaveBeenCalledTimes(1);
});
