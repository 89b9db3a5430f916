/** Weaknesses that are told by how parts of a project belong together, without following values. */
import type { Observation } from '#findings/finding.ts';
import type { SourceModule } from '../modules.ts';
import { observeHit } from '../observe.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import type { Handler } from '../surface/entrances.ts';
import { unboundedAmounts } from './amounts.ts';
import { unfilteredCalls } from './call-filter.ts';
import { shownSecrets } from './shown-secrets.ts';
import { ProjectFunctions } from './project-functions.ts';

interface Found {
  module: SourceModule;
  at: number;
  end: number;
  /** As a reader knows it. */
  what: string;
}

export function observeDeclared(
  modules: readonly SourceModule[],
  handlers: readonly Handler[],
  rules: RuleSet,
): Observation[] {
  const functions = new ProjectFunctions(modules);
  const observed = (id: string, places: readonly Found[]): Observation[] => {
    const rule = rules.detector(id);
    return rule === undefined ? [] : places.map((place) => observeHit({ rule, ...place }));
  };
  return [
    ...observed('missing-call-filter', unfilteredCalls(modules, functions)),
    ...observed('unbounded-amount', unboundedAmounts(modules, handlers, functions)),
    ...observed('secret-in-response', shownSecrets(modules, handlers, functions)),
  ];
}
