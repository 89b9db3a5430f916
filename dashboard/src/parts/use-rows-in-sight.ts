import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

/** Above so many rows only those in sight are in the page. */
const virtualFrom = 100;
const rowHeightPx = 49;

/** Which rows of a table are in the page, and how high the places of the others are. */
export function useRowsInSight(scroller: RefObject<HTMLDivElement | null>, rows: readonly { id: string }[]) {
  const isLong = rows.length > virtualFrom;
  const virtual = useVirtualizer({
    count: rows.length,
    enabled: isLong,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.id ?? index,
    estimateSize: () => rowHeightPx,
    overscan: 8,
  });
  if (!isLong)
    return {
      isLong,
      visible: rows.map((_, index) => index),
      before: 0,
      after: 0,
      rowProps: () => ({}),
    };
  const shown = virtual.getVirtualItems();
  return {
    isLong,
    visible: shown.map(({ index }) => index),
    before: shown[0]?.start ?? 0,
    after: virtual.getTotalSize() - (shown.at(-1)?.end ?? 0),
    /** Rows are as high as what is in them: each is measured when it comes into the page. */
    rowProps: (index: number) => ({
      ref: virtual.measureElement,
      'data-index': index,
      'aria-rowindex': index + 1,
    }),
  };
}
