/** The outcomes of texts, from the bottom of a bar up. */
export const textSeries = [
  { name: 'passed', className: 'bg-(--series-1)/45' },
  { name: 'observed only', className: 'bg-(--series-4)' },
  { name: 'flagged', className: 'bg-(--series-2)' },
];
