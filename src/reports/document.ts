import type { Chart } from './charts/chart.ts';
import type { Tone } from './charts/palette.ts';

/**
 * The content of a report, independent of its layout. Services create these values; the renderer escapes, truncates and lays out.
 * All texts may come from attackers.
 */

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info';

export interface Fact {
  name: string;
  value: string;
}

/** A key figure, shown large in a summary. */
export interface KeyFigure {
  label: string;
  value: string;
  /** Such as an interval or what it is compared with. */
  note?: string;
  tone?: Tone;
}

export interface Column {
  title: string;
  /** Relative width; default: 1. */
  share?: number;
  align?: 'left' | 'right' | 'center';
  /** In letters of equal width: ids, paths, code. */
  mono?: boolean;
}

export type Cell = string | number | { text: string; tone?: Tone; bold?: boolean };

/** One step on the way from cause to effect, such as of a data flow. */
export interface FindingStep {
  where: string;
  text?: string;
}

/** A finding as a report shows it. */
export interface ReportedFinding {
  title: string;
  severity: Severity;
  description?: string;
  /** Of rule, framework entries and such, as small labels. */
  tags?: readonly string[];
  facts?: readonly Fact[];
  evidence?: string;
  steps?: readonly FindingStep[];
  remedy?: string;
}

export type Block =
  | { kind: 'section'; title: string; startsPage?: boolean; blocks: readonly Block[] }
  | { kind: 'summary'; figures: readonly KeyFigure[] }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; items: readonly string[]; ordered?: boolean }
  | { kind: 'facts'; facts: readonly Fact[] }
  | { kind: 'table'; caption?: string; columns: readonly Column[]; rows: readonly (readonly Cell[])[] }
  | { kind: 'chart'; caption?: string; chart: Chart }
  | { kind: 'code'; caption?: string; text: string }
  | { kind: 'call_out'; tone: Tone; title?: string; text: string }
  | { kind: 'finding'; finding: ReportedFinding };

export interface ReportDocument {
  title: string;
  subtitle?: string;
  /** Printed on the cover and in the metadata; equal documents with equal dates give equal bytes. */
  createdAt: Date;
  /** Such as "Confidential"; on the cover and in each page's foot. */
  classification?: string;
  /** On the cover: target, versions, settings, seed. */
  facts?: readonly Fact[];
  blocks: readonly Block[];
}
