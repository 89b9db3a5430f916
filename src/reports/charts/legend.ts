import { palette, seriesColours } from './palette.ts';
import { element, fitted, textAt, widthOf } from './svg.ts';

const size = 8.5;
const rowHeight = 14;

/** Names of series beside their colours, in as many rows as it takes, from `y` downward. One series needs none. */
export function legend(
  names: readonly string[],
  width: number,
  y: number,
): { parts: string[]; height: number } {
  if (names.length < 2) return { parts: [], height: 0 };
  const parts: string[] = [];
  let [x, row] = [0, 0];
  names.forEach((name, i) => {
    const shown = fitted(name, width * 0.4, size);
    const taken = widthOf(shown, size) + 26;
    if (x > 0 && x + taken > width) [x, row] = [0, row + 1];
    const top = y + row * rowHeight;
    parts.push(
      element('rect', {
        x,
        y: top - 6,
        width: 10,
        height: 6,
        rx: 1.5,
        fill: seriesColours[i % seriesColours.length],
      }),
      textAt(x + 14, top, name, { size, colour: palette.inkSoft, mostWidth: width * 0.4 }),
    );
    x += taken;
  });
  return { parts, height: (row + 1) * rowHeight };
}
