/** Asks before the page is closed or reloaded while the work is under way. */
export function holdPage(work: Promise<unknown>): void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener("beforeunload", ask);
  const letGo = () => window.removeEventListener("beforeunload", ask);
  work.then(letGo, letGo);
}
