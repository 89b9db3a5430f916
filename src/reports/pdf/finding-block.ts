import type { Content } from 'pdfmake';
import { type Tone, palette, tones } from '../charts/palette.ts';
import type { Fact, FindingStep, ReportedFinding, Severity } from '../document.ts';
import { boxLayout, plainLayout, sizes, textWidth } from './page.ts';
import type { TextWriter } from './writer.ts';

const toneOf: Record<Severity, Tone> = {
  critical: 'flag',
  high: 'flag',
  medium: 'warn',
  low: 'accent',
  info: 'neutral',
};

const inner = textWidth - 22;
const label = (text: string, writer: TextWriter): Content =>
  writer.text(text.toUpperCase(), { size: 6.5, bold: true, colour: palette.inkSoft, margin: [0, 5, 0, 1] });

/** Names on the left, values on the right. */
export function factRows(facts: readonly Fact[], width: number, writer: TextWriter): Content {
  const nameWidth = width * 0.24;
  return {
    table: {
      dontBreakRows: true,
      widths: [nameWidth, width - nameWidth - 12],
      body: facts.map(({ name, value }) => [
        writer.text(name, { size: sizes.small, colour: palette.inkSoft, limit: 200 }),
        writer.text(value, { size: sizes.small, limit: 1200 }),
      ]),
    },
    layout: plainLayout(12),
  };
}

/** A box of code; it may go over pages. */
export function codeBox(text: string, width: number, writer: TextWriter): Content {
  return {
    table: {
      widths: [width - 20],
      body: [[writer.text(text, { size: sizes.code, mono: true, limit: 12_000 })]],
    },
    layout: { ...boxLayout(), fillColor: palette.raised },
    margin: [0, 2, 0, 4],
  };
}

const mostSteps = 200;

const stepsOf = (
  steps: readonly FindingStep[],
  writer: TextWriter,
  { from, to }: { from: number; to: number },
): Content => ({
  table: {
    dontBreakRows: true,
    widths: [12, inner - 24],
    body: steps.slice(from, to).map(({ where, text }, i) => [
      writer.text(String(from + i + 1), {
        size: sizes.small,
        colour: palette.accent,
        bold: true,
        align: 'right',
      }),
      {
        stack: [
          writer.text(where, { size: sizes.code, mono: true, limit: 400 }),
          ...(text === undefined
            ? []
            : [writer.text(text, { size: sizes.small, colour: palette.inkSoft, limit: 1200 })]),
        ],
      },
    ]),
  },
  layout: plainLayout(12),
});

/** Head and first words stay together, and a label with what it is of; the rest may go over pages. */
export function findingBlock(finding: ReportedFinding, writer: TextWriter): Content {
  const { severity, facts = [], evidence, steps = [], remedy } = finding;
  const parts: Content[] = [headOf(finding, writer)];
  if (facts.length > 0) parts.push(factRows(facts, inner, writer));
  if (evidence !== undefined)
    parts.push({
      stack: [label('Evidence', writer), codeBox(evidence, inner, writer)],
      unbreakable: isShort(evidence),
    });
  if (steps.length > 0) {
    const first = stepsOf(steps, writer, { from: 0, to: 1 });
    parts.push({ stack: [label('Path', writer), first], unbreakable: true });
    if (steps.length > 1) parts.push(stepsOf(steps, writer, { from: 1, to: mostSteps }));
  }
  if (remedy !== undefined)
    parts.push({
      stack: [label('Remedy', writer), writer.text(remedy, { limit: 4000 })],
      unbreakable: isShort(remedy),
    });
  return {
    table: { widths: [textWidth - 22.5], body: [[{ stack: parts }]] },
    layout: boxLayout(tones[toneOf[severity]].ink),
    margin: [0, 3, 0, 9],
  };
}

/** Severity, title, tags and description. */
function headOf(
  { title, severity, tags = [], description = '' }: ReportedFinding,
  writer: TextWriter,
): Content {
  const tone = tones[toneOf[severity]];
  const isCritical = severity === 'critical';
  const badge = {
    text: ` ${severity.toUpperCase()} `,
    font: 'Sans',
    bold: true,
    fontSize: 7,
    color: isCritical ? palette.paper : tone.ink,
    background: isCritical ? tone.ink : tone.soft,
  };
  const titleRuns = writer.runs(title, { size: 10.5, limit: 300 }).map((run) => ({ ...run, bold: true }));
  const stack: Content[] = [
    { text: [badge, { text: '  ', font: 'Sans' }, ...titleRuns], fontSize: 10.5, lineHeight: 1.2 },
  ];
  if (tags.length > 0)
    stack.push(
      writer.text(tags.slice(0, 30).join('  ·  '), {
        size: 7.5,
        colour: palette.inkSoft,
        limit: 600,
        margin: [0, 2, 0, 0],
      }),
    );
  if (description !== '') stack.push(writer.text(description, { limit: 4000, margin: [0, 4, 0, 2] }));
  return { stack, unbreakable: isShort(description) };
}

const isShort = (text: string): boolean => text.length < 1200 && text.split('\n', 25).length < 25;
