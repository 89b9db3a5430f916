/**
 * What makes it likely that a form is not what its sentence means, besides words that nothing looks for. Each sign was
 * chosen on rules by hands that the reader was not made with: there a rule that went wrong had one of them far more often
 * than a rule that was right (figures in test/fixtures/action-rules/README.md).
 */
import { partsOf, predicatesOf, type RuleForm } from '../rule-form.ts';
import { lostOwner, widened } from './doubts/of-data.ts';
import { unchecked, unknownStep } from './doubts/of-earlier-steps.ts';
import { lostNumbers, measureAsCount, strangeMeasure, widerSum } from './doubts/of-numbers.ts';
import { contrast, noCommand, pronoun, ranked } from './doubts/of-sentences.ts';
import {
  actAlone,
  hyphenated,
  longNames,
  noThing,
  onlyChanges,
  onlyMentioned,
  related,
  signOfThing,
  unknownVerb,
} from './doubts/of-things.ts';

const signs = [
  strangeMeasure,
  measureAsCount,
  widerSum,
  actAlone,
  unchecked,
  unknownStep,
  hyphenated,
  widened,
  lostOwner,
  pronoun,
  ranked,
  lostNumbers,
  unknownVerb,
  noThing,
  onlyChanges,
  contrast,
  noCommand,
  related,
  longNames,
  onlyMentioned,
  signOfThing,
];

/** Why the form may be something else than its sentence means, a sentence each; empty where nothing speaks for that. */
export function doubtsAbout(sentence: string, form: RuleForm): string[] {
  const seen = {
    sentence,
    form,
    all: partsOf(form).flatMap(predicatesOf),
    when: predicatesOf(form.when),
  };
  // A rule about the act alone names everything that has no place, numbers too.
  const isAboutAct = actAlone(seen) !== undefined;
  return signs.flatMap((sign) => (isAboutAct && sign === lostNumbers ? [] : (sign(seen) ?? [])));
}
