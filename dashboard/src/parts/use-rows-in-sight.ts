import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';

/** A longer table renders only the rows in view. */
const virtualFrom = 100;
const rowHeightPx = 49;

/** Which rows of a table are rendered, and the height of the space for the others. */
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
    /** Rows differ in height: each is measured when it is rendered. */
    rowProps: (index: number) => ({
      ref: virtual.measureElement,
      'data-index': index,
      'aria-rowindex': index + 1,
    }),
  };
}
