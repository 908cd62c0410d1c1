/** What the page measured about itself, in milliseconds from navigation. */
export type Seen = { shifts: number; tasks: number[]; frames: Frame[] };

/** A long frame, and the scripts in it. */
export type Frame = {
  start: number;
  duration: number;
  styleAndLayout: number;
  scripts: { invoker: string; source: string; duration: number }[];
};

/**
 * Runs in the page before its own code. `__bench.when(test)` resolves just after the frame in which `test` first passes; `__bench.input` is
 * the time of the last key, pointer or change event.
 */
export const PROBE = `
  window.__bench = { shifts: 0, tasks: [], frames: [], input: 0 };
  {
    const observe = (type, each, more) => {
      new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true, ...more });
    };
    observe("layout-shift", (entry) => { if (!entry.hadRecentInput) __bench.shifts += entry.value; });
    observe("longtask", (entry) => __bench.tasks.push(entry.duration));
    observe("long-animation-frame", (entry) => {
      const end = entry.startTime + entry.duration;
      __bench.frames.push({
        start: entry.startTime,
        duration: entry.duration,
        styleAndLayout: entry.styleAndLayoutStart === 0 ? 0 : end - entry.styleAndLayoutStart,
        scripts: entry.scripts.map(({ invoker, sourceURL, duration }) => ({ invoker, source: sourceURL, duration })),
      });
    });
    for (const type of ["keydown", "pointerdown"])
      addEventListener(type, (event) => { __bench.input = event.timeStamp; }, true);
    __bench.when = (test) => new Promise((done) => {
      const finish = () => requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done(performance.now());
        channel.port2.postMessage(0);
      });
      if (test()) return finish();
      const observer = new MutationObserver(() => {
        if (!test()) return;
        observer.disconnect();
        finish();
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    });
  }
`;
