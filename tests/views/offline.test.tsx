import { act, render, screen } from "@testing-library/react";
import { useSyncExternalStore } from "react";
import { expect, it, vi } from "vitest";
import { isOffline, watchNetwork } from "../../src/services/browser.ts";
import { LoadError, OfflineContext } from "../../src/ui/LoadError.tsx";

function Page() {
  return (
    <OfflineContext value={useSyncExternalStore(watchNetwork, isOffline)}>
      <LoadError what="the stages" onRetry={() => {}} />
      <LoadError what="the day ahead" isShort onRetry={() => {}} />
    </OfflineContext>
  );
}

it("leaves out the marks of failed reads while the browser is offline", () => {
  const network = vi.spyOn(navigator, "onLine", "get").mockReturnValue(true);
  render(<Page />);
  const marks = () => screen.queryAllByRole("button").length;
  const become = (type: "online" | "offline") => {
    network.mockReturnValue(type === "online");
    act(() => void window.dispatchEvent(new Event(type)));
  };
  expect(marks()).toEqual(2);
  become("offline");
  expect(marks()).toEqual(0);
  become("online");
  expect(marks()).toEqual(2);
});
