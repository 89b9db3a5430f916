/** The look of all charts; colours come from the theme. */
export const axis = {
  tick: { fill: 'var(--ink-soft)', fontSize: 12 },
  stroke: 'var(--line-strong)',
  tickLine: false,
} as const;

export const tooltip = {
  cursor: { fill: 'var(--raised)' },
  contentStyle: {
    background: 'var(--panel)',
    border: '1px solid var(--line)',
    borderRadius: 8,
    fontSize: 13,
  },
} as const;
