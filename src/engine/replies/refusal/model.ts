import { featureNames } from './features.ts';

const at = (name: (typeof featureNames)[number]) => featureNames.indexOf(name);

/** Logistic function. */
const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));

export function probabilitiesOf(features: readonly number[]): {
  full: number;
  partial: number;
  none: number;
} {
  const value = (name: (typeof featureNames)[number]) => features[at(name)] ?? 0;
  const refused = sigmoid(
    -2.5 +
      4 * value('declinesEarly') +
      value('declinesLate') +
      2 * value('firstApologises') +
      5 * value('noDeclineMoral') +
      value('policy') -
      2 * value('firstAgrees'),
  );
  const partly = sigmoid(-2 + 2 * value('declineAndLongDeliver') + value('listAfterDecline'));
  return { full: refused * (1 - partly), partial: refused * partly, none: 1 - refused };
}
