/** One call that starts a program is one finding, whatever it lets a caller do. */
import type { Observation } from '#findings/finding.ts';
import { bySeverity } from '#findings/severity.ts';

/** The most specific first: who chooses the program chooses all that a shell and an option could do. */
const ofPrograms = ['chosen-program', 'command-injection', 'argument-injection'];

const order = (a: Observation, b: Observation): number =>
  bySeverity(a.severity, b.severity) || ofPrograms.indexOf(a.rule) - ofPrograms.indexOf(b.rule);

/** The call that a finding is about, for one tool; undefined where it is about another thing. */
function callOf({ rule, subject = '', location }: Observation): string | undefined {
  if (!ofPrograms.includes(rule) || location === undefined) return undefined;
  const { path, startLine = 0, startColumn = 0 } = location;
  return [path, startLine, startColumn, subject].join('\0');
}

const lower = (title: string): string => title.charAt(0).toLowerCase() + title.slice(1);

/** The worst of several, with the names of the others. */
function withRelated(main: Observation, others: readonly Observation[]): Observation {
  if (others.length === 0) return main;
  const named = others.map(({ rule, title }) => `${lower(title)} (${rule})`).join('; ');
  const known = new Set(main.frameworks.map((each) => JSON.stringify(each)));
  const frameworks = others
    .flatMap((each) => each.frameworks)
    .filter((each) => !known.has(JSON.stringify(each)));
  return {
    ...main,
    description: `${main.description} The same call has related weaknesses: ${named}.`,
    tags: [...main.tags, ...others.map(({ rule }) => `related:${rule}`)],
    frameworks: [
      ...main.frameworks,
      ...new Map(frameworks.map((each) => [JSON.stringify(each), each])).values(),
    ],
  };
}

/** Findings of one program call become the most specific of the worst of them. The order stays. */
export function foldProgramCalls(observations: readonly Observation[]): Observation[] {
  const groups = new Map<string, Observation[]>();
  for (const [at, observation] of observations.entries()) {
    const key = callOf(observation) ?? String(at);
    groups.set(key, [...(groups.get(key) ?? []), observation]);
  }
  return [...groups.values()].flatMap((group) => {
    const [main, ...others] = group.toSorted(order);
    return main === undefined ? [] : [withRelated(main, others)];
  });
}
