/** A queue whose first element is the least by `isBefore`. */
export type Heap<T> = { readonly size: number; peek(): T | undefined; push(item: T): void; pop(): T | undefined };

/** Makes an empty one; `push` and `pop` cost the logarithm of its size. */
export function createHeap<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = [];
  const at = (place: number): T => items[place] as T;
  return {
    get size() {
      return items.length;
    },
    peek: () => items[0],
    push(item) {
      let place = items.length;
      items.push(item);
      while (place > 0) {
        const parent = (place - 1) >> 1;
        if (!isBefore(item, at(parent))) break;
        items[place] = at(parent);
        place = parent;
      }
      items[place] = item;
    },
    pop() {
      const first = items[0];
      const last = items.pop();
      if (last === undefined || items.length === 0) return first;
      let place = 0;
      for (;;) {
        let child = 2 * place + 1;
        if (child >= items.length) break;
        if (child + 1 < items.length && isBefore(at(child + 1), at(child))) child += 1;
        if (!isBefore(at(child), last)) break;
        items[place] = at(child);
        place = child;
      }
      items[place] = last;
      return first;
    },
  };
}
