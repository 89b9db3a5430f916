/** Policies that may stop a failed case: those that ship with the policy guard, and one written from the case. */
import type { AskService } from '#base/contract/ask-service.ts';
import type { ScanCase } from '#engine/model-scan/case.ts';
import type { Caller } from '#identity/caller.ts';
import { evaluateOperations } from '#services/policy-guard/contract/evaluate.ts';
import { templateOperations } from '#services/policy-guard/contract/templates.ts';
import { testerOperations } from '#services/policy-guard/contract/tester.ts';
import type { Place, Said } from './exchanges.ts';

export interface PolicyText {
  readonly name: string;
  readonly description: string;
  readonly block_activities: string[];
  readonly safe_activities: string[];
}

/** How likely each policy of a group is violated by a text, by name. */
export type Probabilities = Readonly<Record<string, number>>;

/** A group of policies that is tried as a whole: one question for each text. */
export interface TriedGroup {
  /** Undefined for policies that are written here. */
  readonly template?: { readonly group_uuid: string; readonly group_name: string };
  readonly threshold: number;
  readonly strictness: 'low' | 'medium' | 'high';
  readonly policies: readonly (PolicyText & { readonly id: string; readonly why: string })[];
  /** By the policy guard itself. */
  readonly judge: (said: Said, place: Place) => Promise<Probabilities>;
}

const pageSize = 500;
const mostPages = 10;
const contexts = { request: 'chat', reply: 'reply' } as const;
const roles = ['system', 'user', 'assistant'] as const;
type Role = (typeof roles)[number];
const isRole = (role: string): role is Role => roles.some((each) => each === role);

/** The groups that ship with the policy guard. Those of users are theirs to read, so they are not tried here. */
export async function shippedGroups(ask: AskService<Caller>, caller: Caller): Promise<TriedGroup[]> {
  const found: TriedGroup[] = [];
  for (let page = 0; page < mostPages; page += 1) {
    const query = { limit: pageSize, offset: page * pageSize };
    const { templates, total } = await ask(templateOperations.listTemplates, caller, { query });
    for (const {
      owner_id: owner,
      group_uuid: id,
      name,
      threshold,
      strictness_level: strictness,
      policies,
    } of templates)
      if (owner === null)
        found.push({
          template: { group_uuid: id, group_name: name },
          threshold,
          strictness,
          policies: policies
            .filter(({ enabled }) => enabled)
            .map(({ _id, name: policy, description, block_activities, safe_activities }) => ({
              id: _id,
              name: policy,
              description,
              block_activities,
              safe_activities,
              why: description,
            })),
          judge: async ({ text, before }, place) => {
            const messages = before.flatMap(({ role, content }) => (isRole(role) ? [{ role, content }] : []));
            const body = { text, messages, context: contexts[place] };
            return (await ask(testerOperations.testPolicyGroup, caller, { params: { group_uuid: id }, body }))
              .probs;
          },
        });
    if (query.offset + pageSize >= total) break;
  }
  return found;
}

const longestActivity = 1000;
/** As an activity of a policy, which is stored: without NUL and halves of characters. */
const oneLine = (text: string): string =>
  text.replaceAll('\0', ' ').replaceAll(/\s+/g, ' ').trim().slice(0, longestActivity).toWellFormed();

/**
 * A policy in the words of the case. Where its twin would be stopped too, a second one names the twin as safe.
 * @param title of the subcategory
 */
export function draftedGroup(
  ask: AskService<Caller>,
  caller: Caller,
  { turns, dataset }: Pick<ScanCase, 'turns' | 'dataset'>,
  title: string,
  twin: Pick<ScanCase, 'turns'> | undefined,
): TriedGroup {
  // A subcategory of a tenant's own data set may be any text; a name of a policy may not.
  const named = oneLine(title);
  const name = named === '' || named === '__proto__' ? 'Failed case' : named.slice(0, 200).toWellFormed();
  const description = `${name}, as in the data set “${dataset}” of the model safety scan.`.slice(0, 10_000);
  const request = oneLine(turns.at(-1) ?? '');
  const draft = { name, description, block_activities: [request], safe_activities: [] as string[] };
  const policies = [
    { ...draft, id: name, why: 'Written from the request of this case.' },
    ...(twin === undefined
      ? []
      : [
          {
            ...draft,
            name: `${name} (with an exception)`,
            safe_activities: [oneLine(twin.turns.at(-1) ?? '')],
            id: 'with twin',
            why: 'Written from the request of this case. The policy names the harmless twin as safe: that it is spared says little.',
          },
        ]),
  ];
  // In one process the input is not completed by defaults.
  const sent = policies.map(({ why: _why, id: _id, ...policy }) => ({ ...policy, enabled: true }));
  const sensitivity = { threshold: 0.5, strictness_level: 'medium' } as const;
  return {
    threshold: sensitivity.threshold,
    strictness: sensitivity.strictness_level,
    policies,
    judge: async ({ text }, place) =>
      (
        await ask(evaluateOperations.topicGuardOneshot, caller, {
          body: { text, policies: sent, context: contexts[place], ...sensitivity },
        })
      ).probabilities,
  };
}
