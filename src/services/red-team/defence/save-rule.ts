/** Saves a rule in a policy of the action guard, and attaches the policy to a set. */
import type { AskService } from '#base/contract/ask-service.ts';
import { AppError } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import { policyOperations } from '#services/action-guard/contract/policies.ts';
import { setOperations } from '#services/action-guard/contract/sets.ts';

export interface RuleToSave {
  readonly key: string;
  readonly rule: Record<string, unknown>;
  readonly description?: string | undefined;
  readonly severity: 'Low' | 'Medium' | 'High';
  readonly policy_id?: string | undefined;
  readonly policy_name: string;
  readonly policy_set_id?: string | undefined;
}

/** @throws AppError of the action guard: 403, 404, 422 that names the field */
export async function saveRule(ask: AskService<Caller>, caller: Caller, asked: RuleToSave) {
  const { key, rule, description, severity, policy_set_id: setId } = asked;
  const input = { rule, severity, ...(description !== undefined && { description }) };
  const policyId =
    asked.policy_id === undefined
      ? await create(ask, caller, asked.policy_name, key, input)
      : await extend(ask, caller, asked.policy_id, key, input);
  if (setId !== undefined) await attach(ask, caller, setId, policyId);
  return {
    policy_id: policyId,
    rule_key: key,
    policy_set_id: setId ?? null,
    message:
      setId === undefined
        ? 'The rule is saved. It is enforced where its policy is in a policy set that a gateway or an application uses.'
        : 'The rule is saved, and enforced wherever the policy set is used.',
  };
}

type RuleInput = Pick<RuleToSave, 'rule' | 'severity'> & { readonly description?: string };

async function create(ask: AskService<Caller>, caller: Caller, name: string, key: string, input: RuleInput) {
  const body = { name, category: 'Red team', rules: { [key]: input } };
  return (await ask(policyOperations.createPolicy, caller, { body })).policy_id;
}

/** All rules are sent again: an update replaces them, and keeps what has its key already. */
async function extend(
  ask: AskService<Caller>,
  caller: Caller,
  policyId: string,
  key: string,
  input: RuleInput,
) {
  const params = { policy_id: policyId };
  const { rules } = await ask(policyOperations.getPolicy, caller, { params });
  const kept = Object.fromEntries(
    Object.entries(rules).map(
      ([name, { description, rule, severity, source, origin, confirmed_by: confirmed }]) => [
        name,
        {
          description,
          severity,
          ...(source !== undefined && { source }),
          // A form that was given or confirmed stays as it is; another is read from its sentence again.
          ...((origin === 'form' || confirmed !== null) && rule !== undefined && { rule }),
        },
      ],
    ),
  );
  await ask(policyOperations.updatePolicy, caller, { params, body: { rules: { ...kept, [key]: input } } });
  return policyId;
}

async function attach(
  ask: AskService<Caller>,
  caller: Caller,
  setId: string,
  policyId: string,
): Promise<void> {
  try {
    const params = { policy_set_id: setId };
    await ask(setOperations.attachPolicies, caller, { params, body: { policy_ids: [policyId] } });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(
      error.status,
      error.code,
      `The rule is saved in the policy ${policyId}, but the policy was not attached to 'policy_set_id': ${error.detail}`,
      { cause: error },
    );
  }
}
