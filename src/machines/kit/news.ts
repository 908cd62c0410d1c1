/**
 * A region that has news read: at once where nothing was read lately, else one reading after the other with a pause between them, so that
 * whatever is busy is shown at all. Needs the guard `isReading`, the action `refresh` and the delay `newsPause` in the chart's setup.
 */
export const gatheringNews = <const News extends string>(news: News) => {
  const readOrNote = [
    { guard: "isReading" as const, target: "noted" as const },
    { target: "pausing" as const, actions: "refresh" as const },
  ] as const;
  return {
    initial: "quiet" as const,
    states: {
      quiet: { on: { [news]: readOrNote } as Record<News, typeof readOrNote> },
      pausing: { on: { [news]: "noted" } as Record<News, "noted">, after: { newsPause: "quiet" as const } },
      noted: {
        after: {
          newsPause: [
            { guard: "isReading" as const, target: "noted" as const, reenter: true },
            { target: "pausing" as const, actions: "refresh" as const },
          ] as const,
        },
      },
    },
  };
};
