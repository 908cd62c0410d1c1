type Part<Item> = { items: readonly Item[]; next: string | null };

/** Reads the newest of a list, `count` of them or a few more, page by page; `missing` is how many are still to come. */
export async function readNewest<Item extends { id: string }>(
  count: number,
  readPage: (before: string | null, missing: number) => Promise<Part<Item>>,
): Promise<{ items: Item[]; next: string | null }> {
  const items = new Map<string, Item>();
  let next: string | null = null;
  let known = -1;
  // A page that brings nothing new is the end, whatever it says.
  while (items.size > known && (known === -1 || next !== null) && items.size < count) {
    known = items.size;
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ends
    const page: Part<Item> = await readPage(next, count - items.size);
    for (const item of page.items) items.set(item.id, item);
    next = page.next;
  }
  return { items: [...items.values()], next };
}
