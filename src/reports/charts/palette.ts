/** The tone of a statement; each has its own colour. */
export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'flag';

/** The light colours of the dashboard (dashboard/src/styles.css) as a PDF can have them. */
export const palette = {
  ink: '#161a26',
  inkSoft: '#525866',
  line: '#e1e3e7',
  lineStrong: '#c7cbd1',
  raised: '#f3f4f7',
  ground: '#f9fafc',
  paper: '#ffffff',
  accent: '#4647d4',
  accentSoft: '#ecefff',
} as const;

/** Colours of a tone: for text and marks, and for the ground under it. */
export const tones: Record<Tone, { ink: string; soft: string }> = {
  neutral: { ink: palette.inkSoft, soft: palette.raised },
  accent: { ink: palette.accent, soft: palette.accentSoft },
  good: { ink: '#006a3e', soft: '#e1f8eb' },
  warn: { ink: '#8a5100', soft: '#fef2d5' },
  flag: { ink: '#bc0b20', soft: '#ffeceb' },
};

/** Colours of series in a chart, by their order. */
export const seriesColours = ['#555de3', '#de3b3d', '#24ab7e', '#d48e00', '#525866', '#8a5100'] as const;
