/** Which policy of a guard each example is meant for, and whether there are enough. No database, no wire. */
import { invalid } from '#base/errors.ts';
import {
  fewestExamples,
  mostCharactersTogether,
  mostExamples,
  mostExamplesTogether,
} from '../../contract/adaptations.ts';
import { foldText } from '../../library/fold-text.ts';
import type { JudgedGroup } from '../../library/groups/judged-group.ts';
import type { Example } from '../../library/heads/example.ts';
import type { LabelledPolicy } from './adaptation.ts';

export interface SentExample {
  readonly text: string;
  /** The policy's name. */
  readonly policy: string;
  readonly groupUuid: string | undefined;
  readonly violates: boolean;
}

interface Gathered extends Omit<LabelledPolicy, 'examples'> {
  /** By their folded text: one of two that read alike would be measured by what was learned from the other. */
  readonly examples: Map<string, Example>;
}

const quoted = (name: string) => JSON.stringify(name);

/**
 * The policy that is meant.
 * @param at the path of its name, such as `examples[3].`, for the message.
 * @throws AppError 422 where the name fits no policy, or more than one.
 */
export function policyFor(
  { policy: name, groupUuid }: Pick<SentExample, 'policy' | 'groupUuid'>,
  at: string,
  groups: readonly JudgedGroup[],
  owner: 'the guard' | 'the policy group' = 'the guard',
) {
  const asked = groupUuid?.toLowerCase();
  const inGroups = groups.filter((group) => asked === undefined || group.groupUuid === asked);
  if (inGroups.length === 0)
    throw invalid(
      `'${at}policy_group_uuid' names the group ${groupUuid}, which the guard does not have. Attach it, or leave the field out.`,
    );
  const found = inGroups.flatMap((group) =>
    group.policies.filter((policy) => policy.name === name).map((policy) => ({ group, policy })),
  );
  const [first, second] = found;
  if (first === undefined)
    throw invalid(
      `'${at}policy' names the policy ${quoted(name)}, which ${owner} does not have, or which is not enabled.`,
    );
  if (second !== undefined)
    throw invalid(
      `'${at}policy' names the policy ${quoted(name)}, which two groups of the guard have. Say which with 'policy_group_uuid'.`,
    );
  return first;
}

/**
 * The examples by policy; equal texts count once, ignoring case and white space.
 * @param earlier examples to learn from too; for equal texts, what was sent now takes precedence.
 * @param owner whose policies they are, as an error calls it.
 * @throws AppError 422 for unknown policies, both labels on one text, too few, too many or one-sided examples.
 */
export function gatherExamples(
  sent: readonly SentExample[],
  earlier: readonly LabelledPolicy[],
  groups: readonly JudgedGroup[],
  owner: 'the guard' | 'the policy group' = 'the guard',
): LabelledPolicy[] {
  const gathered = new Map<string, Gathered>();
  const toGather = (groupUuid: string, { id, name }: { id: string; name: string }): Gathered => {
    const key = `${groupUuid}/${id}`;
    const known = gathered.get(key) ?? {
      groupUuid,
      policyId: id,
      name,
      examples: new Map<string, Example>(),
    };
    gathered.set(key, known);
    return known;
  };
  sent.forEach((example, index) => {
    const at = `examples[${index}]`;
    const { group, policy } = policyFor(example, `${at}.`, groups, owner);
    const { examples } = toGather(group.groupUuid, policy);
    const { text, violates } = example;
    const same = foldText(text);
    if ((examples.get(same)?.violates ?? violates) !== violates)
      throw invalid(`'${at}.text' was sent twice for the policy ${quoted(policy.name)}, with both labels.`);
    if (!examples.has(same)) examples.set(same, { text, violates });
  });
  for (const { groupUuid, policyId, examples: labelled } of earlier) {
    const policy = groups
      .find((group) => group.groupUuid === groupUuid)
      ?.policies.find(({ id }) => id === policyId);
    if (policy === undefined) continue;
    const { examples } = toGather(groupUuid, policy);
    for (const example of labelled) {
      const same = foldText(example.text);
      if (!examples.has(same)) examples.set(same, example);
    }
  }
  return checked(
    [...gathered.values()].map(({ examples, ...policy }) => ({
      ...policy,
      examples: [...examples.values()],
    })),
  );
}

function checked(policies: LabelledPolicy[]): LabelledPolicy[] {
  for (const { name, examples } of policies) {
    const violating = examples.filter(({ violates }) => violates).length;
    if (examples.length < fewestExamples || examples.length > mostExamples)
      throw invalid(
        `'examples' has ${examples.length} different texts for the policy ${quoted(name)}; it needs ${fewestExamples} to ${mostExamples}.`,
      );
    if (violating === 0 || violating === examples.length)
      throw invalid(
        `'examples' for the policy ${quoted(name)} all have the label ${violating > 0}; it needs at least one of each.`,
      );
  }
  const all = policies.flatMap(({ examples }) => examples);
  const characters = all.reduce((sum, { text }) => sum + text.length, 0);
  if (all.length > mostExamplesTogether || characters > mostCharactersTogether)
    throw invalid(
      `'examples' has ${all.length} texts with ${characters} characters, earlier ones included; ` +
        `the most is ${mostExamplesTogether} with ${mostCharactersTogether}. Send fewer or shorter ones.`,
    );
  return policies;
}
