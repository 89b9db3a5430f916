/**
 * What comments teach of general harm. Data sets of hate label what is hateful as harmful in general, and say of the
 * rest only that it is not hateful. Read as they are, nearly all comments that teach general harm are harmful ones, and
 * the detector learns that whoever speaks of a group of people means harm.
 */
import { type LabelledRow, detectorIds } from './rows.ts';

/** Their rows that are not hateful are ordinary comments, as samples of each show. */
const commentSources: ReadonlySet<string> = new Set([
  'edos',
  'hatemoji_build',
  'implicit_hate',
  'online_misogyny',
]);

const general = detectorIds.indexOf('general_harmful');
const hate = detectorIds.indexOf('hate_bias');

/** Comments that are not hateful, and that nothing else is said against, are harmless in general. */
export function withHarmlessComments(rows: readonly LabelledRow[]): LabelledRow[] {
  return rows.map((row) => {
    const { source, labels } = row;
    if (!commentSources.has(source) || labels[general] !== -1 || labels[hate] !== 0 || labels.includes(1))
      return row;
    return { ...row, labels: labels.with(general, 0) };
  });
}
