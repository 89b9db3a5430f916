import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useState, type RefObject } from 'react';

/** A longer table renders only the rows in view. */
const virtualFrom = 40;
const rowHeightPx = 49;

/** How far below the top of the page the element begins. */
function useTop(element: RefObject<HTMLElement | null>, isNeeded: boolean): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (!isNeeded) return undefined;
    const measure = () => {
      const box = element.current?.getBoundingClientRect();
      if (box !== undefined) setTop(box.top + scrollY);
    };
    measure();
    // What stands above the table may become higher or lower.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element, isNeeded]);
  return top;
}

/** Which rows of a table are rendered, and the height of the space for the others. The page itself scrolls. */
export function useRowsInSight(body: RefObject<HTMLElement | null>, rows: readonly { id: string }[]) {
  const isLong = rows.length > virtualFrom;
  const scrollMargin = useTop(body, isLong);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    enabled: isLong,
    getItemKey: (index) => rows[index]?.id ?? index,
    estimateSize: () => rowHeightPx,
    overscan: 8,
    scrollMargin,
  });
  if (!isLong)
    return {
      visible: rows.map((_, index) => index),
      before: 0,
      after: 0,
      rowProps: () => ({}),
    };
  const shown = virtual.getVirtualItems();
  return {
    visible: shown.map(({ index }) => index),
    before: Math.max(0, (shown[0]?.start ?? scrollMargin) - scrollMargin),
    after: virtual.getTotalSize() - ((shown.at(-1)?.end ?? scrollMargin) - scrollMargin),
    /** Rows differ in height: each is measured when it is rendered. */
    rowProps: (index: number) => ({
      ref: virtual.measureElement,
      'data-index': index,
      'aria-rowindex': index + 1,
    }),
  };
}
