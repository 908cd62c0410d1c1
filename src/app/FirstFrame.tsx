import { type ReactNode, useLayoutEffect, useState } from "react";

/**
 * Runs the effects of its first render before the frame is shown: what is here already, such as an answer that an effect
 * takes up, is then part of that frame, however the render itself was cut into pieces.
 */
export function FirstFrame({ children }: { children: ReactNode }) {
  const [, setIsThere] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- what is changed here is rendered before the frame, and effects run before a render
  useLayoutEffect(() => setIsThere(true), []);
  return children;
}
