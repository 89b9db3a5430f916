import { visibleText } from '../visible-text.ts';
import { palette } from './palette.ts';

/** Small pieces of SVG as text. Numbers are rounded, texts escaped, and nothing refers to anything outside. */

type Attributes = Record<string, string | number | undefined>;

/** The fonts of the page that shows the chart; a PDF has one called Sans. */
const fontFamily = 'Sans, ui-sans-serif, system-ui, sans-serif';

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** What is no number has no length. */
const rounded = (value: number): number => (Number.isFinite(value) ? Math.round(value * 100) / 100 : 0);

export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? rounded(value) : escaped(value ?? '')}"`)
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`;
}

export interface TextStyle {
  size?: number;
  anchor?: 'start' | 'middle' | 'end';
  colour?: string;
  bold?: boolean;
  /** Longer texts end in an ellipsis. */
  mostWidth?: number;
}

/** Widths of letters differ; this is a little more than the mean of a sans-serif. */
const meanLetterWidth = 0.54;

/** About how wide a line of text is. */
export const widthOf = (text: string, size: number): number =>
  Array.from(text).length * size * meanLetterWidth;

/** The text as one line, cut to about this width. */
export function fitted(text: string, mostWidth: number, size: number): string {
  const characters = Array.from(visibleText(text.replaceAll(/\s+/g, ' ')));
  const most = Math.max(1, Math.floor(mostWidth / (size * meanLetterWidth)));
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`;
}

export function textAt(x: number, y: number, text: string, style: TextStyle = {}): string {
  const { size = 9, anchor = 'start', colour = palette.ink, bold = false, mostWidth = 400 } = style;
  return element(
    'text',
    {
      x,
      y,
      'font-size': size,
      'text-anchor': anchor,
      fill: colour,
      'font-weight': bold ? 'bold' : undefined,
    },
    escaped(fitted(text, mostWidth, size)),
  );
}

/** A whole drawing. `title` is what a screen reader announces. */
export const drawing = (width: number, height: number, title: string, parts: readonly string[]): string =>
  element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: Math.round(width),
      height: Math.round(height),
      viewBox: `0 0 ${Math.round(width)} ${Math.round(height)}`,
      role: 'img',
      'font-family': fontFamily,
    },
    element('title', {}, escaped(visibleText(title))),
    ...parts,
  );
