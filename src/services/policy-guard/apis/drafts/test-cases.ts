import type { Database } from '#base/db/database.ts';
import { conflict, notFound } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import { maxTestCases } from '../../contract/drafts.ts';
import type { PolicyGroups } from '../../library/groups/policy-groups.ts';
import type { TestCase } from '../../library/test-cases/test-case.ts';
import { beginTestCases, findTestCases, saveTestCases } from '../../library/test-cases/test-case-store.ts';

interface Deps {
  readonly db: Database;
  readonly groups: Pick<PolicyGroups, 'own'>;
}

/** The texts that authors keep with their policies. Each method throws 404 and 403 as `groups.own` does. */
export class TestCases {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async list(caller: Caller, groupUuid: string, policyId: string): Promise<TestCase[]> {
    return findTestCases(this.#deps.db, await this.#place(caller, groupUuid, policyId));
  }

  async replace(
    caller: Caller,
    groupUuid: string,
    policyId: string,
    cases: readonly TestCase[],
  ): Promise<readonly TestCase[]> {
    await saveTestCases(this.#deps.db, await this.#place(caller, groupUuid, policyId), cases);
    return cases;
  }

  /**
   * A text that is there already takes the new answer.
   * @throws AppError 409 when there are as many as there can be
   */
  async add(caller: Caller, groupUuid: string, policyId: string, added: TestCase): Promise<TestCase[]> {
    const place = await this.#place(caller, groupUuid, policyId);
    return this.#deps.db.transaction(async (tx) => {
      await beginTestCases(tx, place);
      const before = await findTestCases(tx, place, true);
      const others = before.filter(({ text }) => text !== added.text);
      if (others.length >= maxTestCases)
        throw conflict(
          `The policy has ${maxTestCases} test cases, the most that it can have. Remove one first.`,
        );
      const cases = [...others, added];
      await saveTestCases(tx, place, cases);
      return cases;
    });
  }

  /** @throws AppError 404 where the group has no such policy. */
  async #place(caller: Caller, groupUuid: string, policyId: string) {
    const group = await this.#deps.groups.own(caller, groupUuid);
    const policy = group.policies.find(({ id }) => id === policyId.toLowerCase());
    if (policy === undefined) throw notFound('The policy');
    return { groupUuid: group.groupUuid, policyId: policy.id };
  }
}
