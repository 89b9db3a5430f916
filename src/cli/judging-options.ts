import { Option } from 'commander';
import { textKinds } from '#engine/text/types.ts';
import { numberFrom } from './number-option.ts';

/** Of texts judged here; a guard of a service has its own. */
export const thresholdOption = (): Option =>
  new Option('--threshold <number>', 'flag at or above')
    .argParser(numberFrom(0, 1, false))
    .default(0.5)
    .conflicts('guard');

/** As {@link thresholdOption}. */
export const strictnessOption = (): Option =>
  new Option('--strictness <level>', 'how strict')
    .choices(['low', 'medium', 'high'])
    .default('medium')
    .conflicts('guard');

/** What the texts are: each kind has operating points of its own. */
export const contextOption = (): Option =>
  new Option('--context <kind>', 'what the texts are; without it all kinds are judged alike').choices(
    textKinds,
  );
